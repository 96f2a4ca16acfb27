import { refuse } from '../base/errors.ts';
import { similarTo } from '../base/nearest.ts';
import type { ToolParameters } from '../call/parameters.ts';
import { defineTool, type ToolDeclaration, type ToolRegistry } from '../call/tool.ts';
import { effectOfName } from '../call/verbs.ts';
import type { Conversation } from './conversation.ts';

/** A tool as a framework knows it. */
export interface OfferedTool {
  readonly name: string;
  /** The schema of its arguments. @default none */
  readonly parameters?: ToolParameters | undefined;
}

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

/**
 * Declares the tools of an agent to its conversation. Refuses a declaration that no tool has, and a tool that is declared nowhere:
 * results and calls of such a tool would be treated as the worst there are, without a visible cause.
 *
 * @example
 * ```ts
 * wireTools(conversation, [{ name: 'send_mail', parameters: schema }], { send_mail: { effect: 'send' } });
 * ```
 */
export function wireTools(conversation: Conversation, offered: readonly OfferedTool[], given: DeclaredTools): void {
  const declared = isRegistry(given) ? {} : given;
  const names = offered.map(({ name }) => name);
  for (const name of Object.keys(declared))
    if (!names.includes(name))
      refuse(`\`declare\` names ${name}, which is not among the tools.${suggestion(name, names)}`);
  for (const { name, parameters } of offered) {
    const declaration = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (declaration !== undefined) {
      checkEffect(name, declaration);
      conversation.declareTools([
        defineTool({ ...declaration, name, ...(parameters === undefined ? {} : { parameters }) }),
      ]);
    } else if (conversation.tools.get(name) === undefined)
      refuse(
        `The tool ${name} is not declared. Say what its calls do: declare: { ${name}: { effect: '${effectOfName(name)}' } }.`,
      );
  }
}
