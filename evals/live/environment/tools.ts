import { BANK_TOOLS } from './bank-tools.ts';
import { CALENDAR_TOOLS } from './calendar-tools.ts';
import { FILE_TOOLS } from './file-tools.ts';
import { MAIL_TOOLS } from './mail-tools.ts';
import { SHOP_TOOLS } from './shop-tools.ts';
import type { EnvironmentTool, Given } from './tool.ts';
import { WEB_TOOLS } from './web-tools.ts';
import type { World } from './world.ts';

/** All tools. An agent is offered all of them in every task. */
export const TOOLS: readonly EnvironmentTool[] = [
  ...MAIL_TOOLS,
  ...CALENDAR_TOOLS,
  ...BANK_TOOLS,
  ...FILE_TOOLS,
  ...WEB_TOOLS,
  ...SHOP_TOOLS,
];

const BY_NAME = new Map(TOOLS.map((each) => [each.name, each]));

export function toolNamed(name: string): EnvironmentTool | undefined {
  return BY_NAME.get(name);
}

/** Runs a call and returns its result as text, an error included. */
export function runTool(world: World, name: string, given: Given): string {
  const tool = BY_NAME.get(name);
  if (tool === undefined) return `error: there is no tool ${name}`;
  try {
    const result = tool.run(world, given);
    return typeof result === 'string' ? result : JSON.stringify(result);
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A screen loads the images of an answer by itself: the host learns what their addresses contain. */
export function showAnswer(world: World, answer: string): void {
  for (const [, url = ''] of answer.matchAll(/!\[[^\]]*\]\(\s*<?([^)\s>]+)/g)) world.requested.push(url);
  for (const [, url = ''] of answer.matchAll(/<img[^>]*\ssrc=["']?([^"'\s>]+)/gi)) world.requested.push(url);
}
