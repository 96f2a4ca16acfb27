import { aiSdk } from './driver/ai-sdk.ts';
import { anthropic } from './driver/anthropic.ts';
import type { Driver } from './driver/driver.ts';
import { googleGenai, googleGenaiWithoutIds } from './driver/google-genai.ts';
import { langchain, langgraph } from './driver/langchain.ts';
import { mastra } from './driver/mastra.ts';
import { mcp } from './driver/mcp.ts';
import { openaiChat, openaiResponses } from './driver/openai.ts';
import { openaiAgents, openaiAgentsChat } from './driver/openai-agents.ts';

export const DRIVERS: readonly Driver[] = [
  aiSdk,
  openaiChat,
  openaiResponses,
  anthropic,
  openaiAgents,
  openaiAgentsChat,
  langchain,
  langgraph,
  mastra,
  googleGenai,
  googleGenaiWithoutIds,
  mcp,
];
