// Measures the CPU time of a warm call, and of two baselines that read the same text once. The three run alternately, so that
// noise affects all of them. process.cpuUsage includes the threads of the garbage collector and the compiler.
const ROUNDS = 9;
const LONG_ROUNDS = 5;
/** A call that takes longer than this is a round by itself, and fewer rounds suffice. */
const LONG_MS = 50;
const ROUND_MS = 10;
const WARM_MS = 100;
/** Letters that occur in no text; evals/peers uses the same. */
const NOT_THERE = 'zqxjk';

function cpuMs(work, calls) {
  const before = process.cpuUsage();
  for (let index = 0; index < calls; index++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** Warms a call up and returns the number of calls in a round. */
function callsOf(work) {
  let warm = cpuMs(work, 1);
  let calls = 1;
  for (; warm < WARM_MS; calls *= 2) warm += cpuMs(work, calls);
  const once = cpuMs(work, calls) / calls;
  return once > LONG_MS ? 1 : Math.ceil(ROUND_MS / Math.max(once, 1e-5));
}

let sink = 0;

function loopOver(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum ^= text.charCodeAt(at);
  return sum;
}

/**
 * @param {() => unknown} work
 * @param {string} text what the work reads
 * @returns {{ ms: number, perIndexOf: number, perLoop: number }} milliseconds of CPU, and the medians of the rounds'
 * ratios to an indexOf that finds nothing and to a loop over the units
 */
export function compare(work, text) {
  const works = [
    () => {
      sink += text.indexOf(NOT_THERE);
    },
    () => {
      sink += loopOver(text);
    },
    work,
  ].map((each) => ({ each, calls: callsOf(each) }));
  const rounds = Array.from({ length: works[2].calls === 1 ? LONG_ROUNDS : ROUNDS }, () => {
    const [indexOf, loop, ms] = works.map(({ each, calls }) => cpuMs(each, calls) / calls);
    return { ms, perIndexOf: ms / indexOf, perLoop: ms / loop };
  });
  if (!Number.isFinite(sink)) throw new RangeError('the sum of the baselines is not finite');
  const of = (key) => median(rounds.map((round) => round[key]));
  return { ms: of('ms'), perIndexOf: of('perIndexOf'), perLoop: of('perLoop') };
}

/**
 * The same over many texts, each read once a round: a text that is read again and again would be in every cache.
 * @param {Record<string, (text: string) => unknown>} works
 * @param {readonly string[]} texts
 * @returns {Record<string, { ms: number, perLoop: number }>} per text, the medians of the rounds
 */
export function compareOver(works, texts) {
  const readAll = (work) => () => {
    for (const text of texts) work(text);
  };
  const loop = readAll((text) => {
    sink += loopOver(text);
  });
  const loops = callsOf(loop);
  for (const work of Object.values(works)) readAll(work)();
  const rounds = Array.from({ length: LONG_ROUNDS }, () => {
    const perLoop = cpuMs(loop, loops) / loops;
    return Object.entries(works).map(([name, work]) => [name, cpuMs(readAll(work), 1), perLoop]);
  });
  return Object.fromEntries(
    Object.keys(works).map((name, index) => [
      name,
      {
        ms: median(rounds.map((round) => round[index][1])) / texts.length,
        perLoop: median(rounds.map((round) => round[index][1] / round[index][2])),
      },
    ]),
  );
}
