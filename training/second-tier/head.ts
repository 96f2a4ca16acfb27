// The head of the second tier: one hidden layer over the vectors of sentences.
import { Random } from '../random.ts';
import { SIZE } from './encoder.ts';

const UNITS = 32;
// Neither tier decides alone, however a text is tuned against one of them.
const MAX_ODDS = 4;

const SETTINGS = { seed: 1, epochs: 6, rate: 1e-3, dropout: 0.4, decay: 0.01, batch: 64, ignored: 0.01 } as const;

interface Head {
  /** One row of SIZE numbers per unit. */
  readonly rows: Float32Array;
  readonly biases: Float32Array;
  readonly last: Float32Array;
  readonly lastBias: number;
}

interface Example {
  readonly vector: Float32Array;
  readonly label: number;
}

/** Numbers that are learned, with the running means of Adam. */
class Parameters {
  readonly values: Float32Array;
  readonly slope: Float32Array;
  readonly #mean: Float32Array;
  readonly #square: Float32Array;
  readonly #decay: number;

  constructor(values: Float32Array, decay = 0) {
    this.values = values;
    this.slope = new Float32Array(values.length);
    this.#mean = new Float32Array(values.length);
    this.#square = new Float32Array(values.length);
    this.#decay = decay;
  }

  step(rate: number): void {
    const { values, slope } = this;
    const [mean, square, decay] = [this.#mean, this.#square, this.#decay];
    for (let k = 0; k < values.length; k++) {
      const value = (slope[k] as number) / SETTINGS.batch;
      mean[k] = 0.9 * (mean[k] as number) + 0.1 * value;
      square[k] = 0.999 * (square[k] as number) + 0.001 * value * value;
      const change = (mean[k] as number) / (Math.sqrt(square[k] as number) + 1e-6) + decay * (values[k] as number);
      values[k] = (values[k] as number) - rate * change;
    }
    slope.fill(0);
  }
}

/** Mean and inverse deviation of each number of the vectors: the network learns from numbers of equal spread. */
function spreadOf(examples: readonly Example[]): { readonly means: Float64Array; readonly factors: Float64Array } {
  const means = new Float64Array(SIZE);
  const factors = new Float64Array(SIZE);
  for (let k = 0; k < SIZE; k++) {
    let [sum, squares] = [0, 0];
    for (const { vector } of examples) {
      sum += vector[k] as number;
      squares += (vector[k] as number) ** 2;
    }
    means[k] = sum / examples.length;
    factors[k] = 1 / Math.sqrt(squares / examples.length - (means[k] as number) ** 2);
  }
  return { means, factors };
}

function normal(random: Random): number {
  let sum = 0;
  for (let i = 0; i < 6; i++) sum += random.next();
  return (sum - 3) * Math.SQRT2;
}

class Network {
  readonly rows: Parameters;
  readonly biases: Parameters = new Parameters(new Float32Array(UNITS));
  readonly last: Parameters;
  readonly lastBias: Parameters = new Parameters(new Float32Array(1));
  readonly #hidden = new Float32Array(UNITS);

  constructor(random: Random) {
    const start = (count: number, inputs: number) =>
      Float32Array.from({ length: count }, () => normal(random) / Math.sqrt(inputs));
    this.rows = new Parameters(start(UNITS * SIZE, SIZE), SETTINGS.decay);
    this.last = new Parameters(start(UNITS, UNITS));
  }

  /** Adds the slopes of one example. `kept` has the factor of each unit, which is 0 for those left out. */
  learn({ vector, label }: Example, kept: Float32Array): void {
    const hidden = this.#hidden;
    let odds = this.lastBias.values[0] as number;
    for (let unit = 0; unit < UNITS; unit++) {
      let sum = this.biases.values[unit] as number;
      for (let k = 0; k < SIZE; k++) sum += (this.rows.values[unit * SIZE + k] as number) * (vector[k] as number);
      hidden[unit] = Math.max(0, sum) * (kept[unit] as number);
      odds += (hidden[unit] as number) * (this.last.values[unit] as number);
    }
    const error = 1 / (1 + Math.exp(-odds)) - label;
    if (Math.abs(error) >= SETTINGS.ignored) this.#addSlopes(vector, error, kept);
  }

  #addSlopes(vector: Float32Array, error: number, kept: Float32Array): void {
    const add = ({ slope }: Parameters, at: number, value: number): void => {
      slope[at] = (slope[at] as number) + value;
    };
    add(this.lastBias, 0, error);
    for (let unit = 0; unit < UNITS; unit++) {
      if (this.#hidden[unit] === 0) continue;
      add(this.last, unit, error * (this.#hidden[unit] as number));
      const share = error * (this.last.values[unit] as number) * (kept[unit] as number);
      add(this.biases, unit, share);
      const { slope } = this.rows;
      for (let k = 0; k < SIZE; k++)
        slope[unit * SIZE + k] = (slope[unit * SIZE + k] as number) + share * (vector[k] as number);
    }
  }

  step(rate: number): void {
    for (const each of [this.rows, this.biases, this.last, this.lastBias]) each.step(rate);
  }
}

/** The network for vectors as they are: the spread of the training vectors becomes part of its numbers. */
function headOf({ rows, biases, last, lastBias }: Network, { means, factors }: ReturnType<typeof spreadOf>): Head {
  const spread = rows.values.map((value, at) => value * (factors[at % SIZE] as number));
  const shifted = biases.values.map((bias, unit) => {
    let sum = bias;
    for (let k = 0; k < SIZE; k++) sum -= (spread[unit * SIZE + k] as number) * (means[k] as number);
    return sum;
  });
  return { rows: spread, biases: shifted, last: last.values, lastBias: lastBias.values[0] as number };
}

/** The same examples in the same order give the same numbers. */
export function trainHead(examples: readonly Example[]): Head {
  const spread = spreadOf(examples);
  const ready = examples.map(({ vector, label }) => ({
    vector: vector.map((value, k) => (value - (spread.means[k] as number)) * (spread.factors[k] as number)),
    label,
  }));
  const random = new Random(SETTINGS.seed);
  const network = new Network(random);
  const steps = Math.ceil(ready.length / SETTINGS.batch) * SETTINGS.epochs;
  let step = 0;
  for (let epoch = 0; epoch < SETTINGS.epochs; epoch++) {
    const order = random.shuffle(ready);
    for (let from = 0; from < order.length; from += SETTINGS.batch) {
      const kept = Float32Array.from({ length: UNITS }, () =>
        random.chance(SETTINGS.dropout) ? 0 : 1 / (1 - SETTINGS.dropout),
      );
      for (const example of order.slice(from, from + SETTINGS.batch)) network.learn(example, kept);
      network.step(SETTINGS.rate * (1 - step++ / steps));
    }
  }
  return headOf(network, spread);
}

/** Log odds that a sentence addresses the model. */
export function oddsOf({ rows, biases, last, lastBias }: Head, vector: Float32Array): number {
  let odds = lastBias;
  for (let unit = 0; unit < UNITS; unit++) {
    let sum = biases[unit] as number;
    for (let k = 0; k < SIZE; k++) sum += (rows[unit * SIZE + k] as number) * (vector[k] as number);
    if (sum > 0) odds += sum * (last[unit] as number);
  }
  return Math.max(-MAX_ODDS, Math.min(MAX_ODDS, odds));
}
