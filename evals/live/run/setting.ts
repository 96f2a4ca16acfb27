import { Anthropic } from '@anthropic-ai/sdk';
import { OpenAI } from 'openai';
import { type Boundary, createBoundary, defineTool } from 'sallyport';
import { TOOLS } from '../environment/tools.ts';
import { anthropicModel } from '../models/anthropic.ts';
import type { Model } from '../models/chat.ts';
import { ObedientModel } from '../models/obedient.ts';
import { openaiModel } from '../models/openai.ts';
import { textModel } from '../models/text.ts';
import type { Setting } from './episode.ts';

export interface Endpoint {
  /** `scripted`, `scripted-messages`, `openai:NAME` or `anthropic:NAME`. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  /** `native`, or `text` for a model without tool calls. */
  readonly tools: string;
}

export const PRESETS = ['balanced', 'strict'] as const;

export type Preset = (typeof PRESETS)[number];

/** The boundary of all runs: the default one, and what a developer declares about each tool. */
export function createLiveBoundary(preset: Preset): Boundary {
  return createBoundary({
    tools: TOOLS.map(({ name, parameters, declare }) => defineTool({ ...declare, name, parameters })),
    gate: { preset },
  });
}

function keyOf(name: string, baseUrl: string | undefined): string {
  const key = process.env[name];
  if (key === undefined && baseUrl === undefined)
    throw new Error(`\`${name}\` must be set in the environment, unless an option names another server.`);
  return key ?? 'none';
}

/** A model at the endpoint of a provider, or of any server with its wire format. */
export function realModel({ model, baseUrl, tools }: Endpoint, option = 'model'): Model {
  const [provider, ...rest] = model.split(':');
  const name = rest.join(':');
  if (name === '' || (provider !== 'openai' && provider !== 'anthropic'))
    throw new Error(
      `\`--${option}\` must be ${option === 'model' ? "'scripted', " : ''}'openai:NAME' or 'anthropic:NAME'; received ${JSON.stringify(model)}.`,
    );
  if (provider === 'anthropic')
    return anthropicModel(new Anthropic({ apiKey: keyOf('ANTHROPIC_API_KEY', baseUrl), baseURL: baseUrl }), name);
  const client = new OpenAI({ apiKey: keyOf('OPENAI_API_KEY', baseUrl), baseURL: baseUrl });
  return tools === 'text' ? textModel(client, name) : openaiModel(client, name);
}

export interface Opened {
  readonly setting: Omit<Setting, 'boundary' | 'judge'>;
  stop(): Promise<void>;
}

/** The model that --model names. A scripted one is started. */
export async function openModel(endpoint: Endpoint): Promise<Opened> {
  if (!endpoint.model.startsWith('scripted')) return { setting: { model: realModel(endpoint) }, stop: async () => {} };
  const isMessages = endpoint.model === 'scripted-messages';
  const server = new ObedientModel(isMessages ? 'messages' : 'chat');
  const url = await server.start();
  const model = isMessages
    ? anthropicModel(new Anthropic({ apiKey: 'none', baseURL: url }), 'scripted')
    : openaiModel(new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` }), 'scripted');
  return {
    setting: {
      model,
      begin: ({ task, attack }, planted) => server.begin({ task, attack, planted: planted ?? '' }),
      tokens: () => server.tokens,
    },
    stop: () => server.stop(),
  };
}
