import { describeValue, refuse } from '../base/errors.ts';
import { similarTo } from '../base/nearest.ts';
import { jsonSchemaOf } from '../call/parameters.ts';
import { defineTool, type ToolDeclaration, type ToolRegistry } from '../call/tool.ts';
import { effectOfName } from '../call/verbs.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { argumentNamesOf } from '../json/argument-names.ts';
import { type OfferedTool, type ToolDescriptions, toolDescriptions } from './tool-descriptions.ts';

function suggestion(name: string, names: readonly string[]): string {
  const similar = similarTo(name, names);
  return similar === undefined ? '' : ` Did you mean ${similar}?`;
}

/** What an application declares about its tools: by their names, or by the tools that are declared already. */
export type DeclaredTools<Declarations = Readonly<Record<string, ToolDeclaration>>> = Declarations | ToolRegistry;

function checkEffect(name: string, { effect }: Partial<ToolDeclaration>): void {
  if (effect === undefined)
    refuse(
      `The declaration of ${name} has no \`effect\`. Say what its calls do, such as effect: '${effectOfName(name)}'.`,
    );
}

function isRegistry(declared: DeclaredTools): declared is ToolRegistry {
  return typeof declared.get === 'function';
}

/** Two mistakes that are easy to make without types: a boundary in place of its conversation, and no declarations, or a list. */
function checkParts(conversation: unknown, given: unknown): void {
  if (typeof (conversation as Partial<Conversation>)?.declareTools !== 'function')
    refuse('protect() needs a conversation, such as boundary.conversation(chatId), as its first argument.');
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(
      `\`declare\` must say what each tool does, by its name: declare: { send_mail: { effect: 'send' } }; received ${describeValue(given)}.`,
    );
}

/** Of a schema that a server wrote, only the names of arguments are taken: its values must not vouch for a call. */
function declare(conversation: Conversation, tool: OfferedTool, declaration: ToolDeclaration): void {
  const { name, parameters: given } = tool;
  checkEffect(name, declaration);
  const isNamesOnly = given !== undefined && (declaration.describedBy ?? tool.describedBy) === 'server';
  const parameters = isNamesOnly ? argumentNamesOf(jsonSchemaOf(given, name)) : given;
  conversation.declareTools([
    defineTool({ ...declaration, name, ...(parameters === undefined ? {} : { parameters }) }),
  ]);
}

/**
 * Declares the tools of an agent to its conversation. Refuses a declaration that no tool has, and a tool that is declared nowhere:
 * results and calls of such a tool would be treated as the worst there are, without a visible cause. Returns the descriptions that
 * servers wrote: pass the tools of every request through `shown()`.
 *
 * @example
 * ```ts
 * const descriptions = wireTools(conversation, [{ name: 'send_mail', parameters: schema }], { send_mail: { effect: 'send' } });
 * ```
 */
export function wireTools(
  conversation: Conversation,
  offered: readonly OfferedTool[],
  given: DeclaredTools,
): ToolDescriptions {
  checkParts(conversation, given);
  const declared = isRegistry(given) ? {} : given;
  const names = offered.map(({ name }) => name);
  for (const name of Object.keys(declared))
    if (!names.includes(name))
      refuse(`\`declare\` names ${name}, which is not among the tools.${suggestion(name, names)}`);
  const descriptions = toolDescriptions(conversation);
  for (const tool of offered) {
    const { name } = tool;
    const declaration = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (declaration !== undefined) declare(conversation, tool, declaration);
    else if (conversation.tools.get(name) === undefined)
      refuse(
        `The tool ${name} is not declared. Say what its calls do: declare: { ${name}: { effect: '${effectOfName(name)}' } }.`,
      );
    descriptions.add(tool);
  }
  return descriptions;
}
