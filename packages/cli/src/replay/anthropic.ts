import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf, wordsIn } from './log.ts';

function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isFields);
}

function userEntry(block: Fields): LogEntry {
  if (block.type === 'tool_result')
    return { type: 'result', id: stringOf(block.tool_use_id), tool: undefined, content: contentOf(block.content) };
  if (block.type === 'text') return { type: 'user', content: stringOf(block.text) ?? '' };
  return { type: 'content', content: { json: block } };
}

const USE = /(?:^|_)tool_use$/;
const RESULT = /_tool_result$/;

function assistantEntries(content: unknown): LogEntry[] {
  const blocks = blocksOf(content);
  const uses = blocks.filter(({ type }) => USE.test(String(type)));
  const words = wordsIn(blocks.filter(({ type }) => type === 'text'));
  const brought = blocks
    .filter(({ type }) => RESULT.test(String(type)))
    .map(
      (block): LogEntry => ({
        type: 'result',
        id: stringOf(block.tool_use_id),
        tool: undefined,
        content: contentOf(block.content),
      }),
    );
  return [
    ...spoken(
      words,
      uses.map(({ id, name, input }) => useOf(id, name, input)),
    ),
    ...brought,
  ];
}

/** A request of Anthropic's messages, and the answer where it stands beside it. */
export function anthropicEntries({ system, messages, content, role }: Fields): LogEntry[] {
  const policy: LogEntry[] = system === undefined ? [] : [{ type: 'policy', text: wordsIn(system) }];
  const answer: LogEntry[] = role === 'assistant' && content !== undefined ? assistantEntries(content) : [];
  const said = listOf(messages)
    .filter(isFields)
    .flatMap((message): LogEntry[] =>
      message.role === 'assistant' ? assistantEntries(message.content) : blocksOf(message.content).map(userEntry),
    );
  return [...policy, ...said, ...answer];
}
