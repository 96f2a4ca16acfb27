import { openaiAgents, openaiAgentsChat } from '../src/driver/openai-agents.ts';
import { testDriver } from './suite.ts';

testDriver(openaiAgents);
testDriver(openaiAgentsChat);
