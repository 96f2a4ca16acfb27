import { Random } from '../../../tools/random.mjs';
import type { Attack } from '../attacks/attack.ts';
import { ATTACKS } from '../attacks/attacks.ts';
import type { Task } from '../tasks/task.ts';
import { TASKS } from '../tasks/tasks.ts';
import { WORDINGS, type Wording } from '../wordings/wordings.ts';

export interface Case {
  readonly task: Task;
  readonly attack?: Attack | undefined;
  readonly wording?: Wording | undefined;
}

export interface Selection {
  readonly tasks: readonly Task[];
  readonly attacks: readonly Attack[];
  readonly wordings: readonly Wording[];
}

function chosen<Item extends { readonly id: string }>(
  all: readonly Item[],
  names: string | undefined,
  option: string,
): readonly Item[] {
  if (names === undefined) return all;
  return names.split(',').flatMap((name) => {
    const found = all.filter(({ id }) => id === name || id.startsWith(`${name}-`));
    if (found.length === 0)
      throw new Error(
        `\`--${option}\` must be a list of ids, or of their first words; received ${JSON.stringify(name)}. The ids are ${all.map(({ id }) => id).join(', ')}.`,
      );
    return found;
  });
}

/** What --tasks, --attacks and --wordings name: ids, or the first words of ids, such as mail. */
export function select(names: {
  tasks?: string | undefined;
  attacks?: string | undefined;
  wordings?: string | undefined;
}): Selection {
  return {
    tasks: chosen(TASKS, names.tasks, 'tasks'),
    attacks: chosen(ATTACKS, names.attacks, 'attacks'),
    wordings: chosen(WORDINGS, names.wordings, 'wordings'),
  };
}

/**
 * Attacked cases, as many as `limit`. In each round every task occurs once, and the pairs of attack and wording are dealt out like
 * cards, so that a part of all combinations has all of them about equally often. The seed is fixed: every model gets the same cases.
 */
export function attackedCases({ tasks, attacks, wordings }: Selection, limit: number): readonly Case[] {
  const random = new Random(7, 1);
  const order = random.shuffled(tasks) as readonly Task[];
  const first = random.shuffled(attacks) as readonly Attack[];
  const second = random.shuffled(wordings) as readonly Wording[];
  const pairs = first.length * second.length;
  const count = Math.min(limit, order.length * pairs);
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / order.length);
    // Within a task, the pair depends on the round alone, so that no combination occurs twice.
    const pair = ((index % order.length) * 31 + round * stepOf(pairs)) % pairs;
    const [attack, wording] = [
      first[pair % first.length],
      second[(Math.floor(pair / first.length) + (pair % first.length)) % second.length],
    ];
    return { task: order[index % order.length] as Task, attack, wording };
  });
}

/** A step that visits all pairs before it comes back. */
function stepOf(pairs: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.round(pairs * 0.618));
  while (divisor(step, pairs) !== 1) step++;
  return step;
}
