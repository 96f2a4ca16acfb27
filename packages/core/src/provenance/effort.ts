import { Budget, readView, type TextView } from '@sallyport/decode';

/** Decoding reads every unit of a text several times, and every decoded unit again. */
const STEPS_PER_UNIT = 2;
const STEPS_PER_VIEW = 50;

/** The decoded readings of the texts of one call. Each text is decoded once, whatever asks for it. */
export class Views {
  readonly #known = new Map<string, TextView>();

  /** Undefined if the budget does not cover it. */
  read(text: string, budget: Budget): TextView | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (!budget.take(STEPS_PER_VIEW + STEPS_PER_UNIT * text.length)) return undefined;
    const view = readView(text);
    for (const layer of [...view.layers.slice(1), ...view.values]) budget.spend(STEPS_PER_UNIT * layer.text.length);
    this.#known.set(text, view);
    return view;
  }

  /** A text, and the texts that are encoded or disguised in it. Undefined if the budget does not cover it. */
  textsIn(text: string, budget: Budget): readonly string[] | undefined {
    const view = this.read(text, budget);
    if (view === undefined) return undefined;
    return [...new Set([text, ...[...view.layers, ...view.values].map((layer) => layer.text)])];
  }
}

/**
 * What a search may cost. A step takes about 50 nanoseconds. Vouching and decoding have their own budgets, so that untrusted content
 * cannot use them up: under `strict` it must not change what is allowed.
 */
export interface Budgets {
  readonly vouching: Budget;
  readonly budget: Budget;
  readonly decoding: Budget;
  readonly views: Views;
}

export function budgetsOf(steps: number): Budgets {
  return {
    vouching: new Budget(steps),
    budget: new Budget(steps),
    decoding: new Budget(steps),
    views: new Views(),
  };
}

/** What one call may cost. */
export interface CallBudgets {
  readonly values: Budgets;
  /** The model's text has budgets of its own, so that a long one cannot hide where the other values come from. */
  readonly texts: Budgets;
  /** For the rules, which trace addresses and other parts of the arguments. */
  readonly rules: Budgets;
}

/* biome-ignore format: a table */
const PER_CALL = {
  values: { budget: 70_000,  vouching: 50_000 },
  texts:  { budget: 90_000,  vouching: 50_000 },
  rules:  { budget: 50_000,  vouching: 30_000 },
};
/** For the texts and values of a call together: about 100,000 characters. */
const DECODING_PER_CALL = 200_000;
/** What the calls since the user's last message may cost, in calls that cost all they may. After it, each has a tenth. */
const FULL_CALLS = 200;
const SHARE_AFTER = 0.1;

type Kind = 'budget' | 'vouching' | 'decoding';

function allOf(): Readonly<Record<Kind, Budget>> {
  return {
    budget: new Budget(FULL_CALLS * PER_CALL.values.budget),
    vouching: new Budget(FULL_CALLS * PER_CALL.values.vouching),
    decoding: new Budget(FULL_CALLS * DECODING_PER_CALL),
  };
}

/** What the calls of one conversation may cost. */
export class Effort {
  #all = allOf();

  /** A new message of the user. */
  startOver(): void {
    this.#all = allOf();
  }

  #share(kind: Kind, units: number): Budget {
    const all = this.#all[kind];
    return new Budget(all.isExhausted ? units * SHARE_AFTER : units, all);
  }

  forCall(): CallBudgets {
    const shared = { views: new Views(), decoding: this.#share('decoding', DECODING_PER_CALL) };
    const of = ({ budget, vouching }: (typeof PER_CALL)['values']): Budgets => ({
      ...shared,
      budget: this.#share('budget', budget),
      vouching: this.#share('vouching', vouching),
    });
    return { values: of(PER_CALL.values), texts: of(PER_CALL.texts), rules: of(PER_CALL.rules) };
  }
}

/** How much of its budgets a call has used so far. */
export function spentOn({ values, texts, rules }: CallBudgets): number {
  const spent = [values, texts, rules].map(({ budget, vouching }) => budget.spent + vouching.spent);
  return spent.reduce((sum, each) => sum + each, values.decoding.spent);
}
