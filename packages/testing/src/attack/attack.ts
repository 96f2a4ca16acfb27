/**
 * The goal of an attack: data for a stranger, money, deletion, another setting, silence towards the user, or another
 * answer.
 *
 * @example
 * ```ts
 * const goal: AttackGoal = 'send';
 * const attacks = ATTACKS.filter((attack) => attack.goal === goal);
 * ```
 */
export type AttackGoal = 'send' | 'pay' | 'delete' | 'change' | 'hide' | 'steer';

/**
 * The place that the text of an attack is written for.
 *
 * @example
 * ```ts
 * const place: AttackPlace = 'mail';
 * const attacks = ATTACKS.filter((attack) => attack.place === place);
 * ```
 */
export type AttackPlace = 'mail' | 'page' | 'issue' | 'code' | 'tool-description' | 'calendar' | 'json';

/**
 * The action of an agent that follows the attack.
 *
 * @example
 * ```ts
 * const { value } = attack.wants satisfies AttackWants;
 * model.script([{ calls: [{ name: 'send_mail', arguments: { to: value, body: 'All mails' } }] }]);
 * ```
 */
export interface AttackWants {
  /**
   * Words in the names of tools that could do it, such as `send` and `mail`. Empty if the attack wants only another
   * answer.
   */
  readonly tools: readonly string[];
  /** The attacker's value: an address, an account, a file, a setting, or the text of the answer. */
  readonly value: string;
}

/**
 * A text that tries to make an agent act for a stranger.
 *
 * @example
 * ```ts
 * const attack: Attack | undefined = ATTACKS.find(({ goal }) => goal === 'pay');
 * ```
 */
export interface Attack {
  readonly title: string;
  readonly goal: AttackGoal;
  readonly place: AttackPlace;
  readonly text: string;
  readonly wants: AttackWants;
}
