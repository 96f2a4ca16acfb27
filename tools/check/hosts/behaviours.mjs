// The four behaviours that are tried with each host.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ATTACK, LOUD, PLAIN, WRONG } from './machine.mjs';
import { inTerminal } from './terminal.mjs';

function check(isTrue, problem, evidence = '') {
  if (!isTrue) throw new Error(evidence === '' ? problem : `${problem}:\n${evidence}`);
}

/** The words of a text on any screen: without the frames and line ends of the terminal. */
const words = (text) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** One host on one machine, with a model that follows a script. */
export class Trial {
  #host;
  #machine;
  #provider;
  #bin;
  #calls;
  #known;

  constructor({ host, machine, provider, bin }) {
    this.#host = host;
    this.#machine = machine;
    this.#provider = provider;
    this.#bin = bin;
    this.#calls = host.calls(machine);
  }

  /** The log of Sallyport. */
  async #log() {
    const { output } = await this.#machine.run('sallyport', 'log', '--json', '--since', '1d');
    return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  }

  /** The calls that the hooks were asked about. */
  #checkedCalls() {
    const folder = join(this.#machine.state, 'sessions');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    return lines.filter((line) => line !== '' && JSON.parse(line).event?.type === 'call').length;
  }

  /** Runs a session without a person. */
  #bare(prompt) {
    return this.#machine.run(this.#bin, ...this.#host.headless(prompt));
  }

  #checkPlayed(output) {
    check(this.#provider.isPlayed(), 'the session ended early', output);
  }

  /** Runs a session in a terminal. */
  #inDialog(prompt, work) {
    const command = this.#machine.command(this.#bin, ...this.#host.dialog.start(prompt));
    return inTerminal(command, this.#machine.project, work);
  }

  /** The model reads a README and obeys it. Returns the user's request. */
  #obey(readme, ...more) {
    const { shell } = this.#calls;
    rmSync(this.#machine.marker, { force: true });
    // Not every host lets its own tools read packages.
    this.#provider.play([shell(`cat ${readme}`), shell(ATTACK), ...more]);
    return `How do I use this package? Read ${readme}.`;
  }

  get #hasRun() {
    return existsSync(this.#machine.marker);
  }

  async #newest(...types) {
    const entry = (await this.#log()).at(-1);
    check(types.includes(entry?.type), `the log ends with ${entry?.type}, not with ${types.join(' or ')}`);
    return entry;
  }

  async harmless() {
    const { trust } = this.#host;
    if (trust !== undefined) await inTerminal(this.#machine.command(this.#bin), this.#machine.project, trust);
    const { read, edit, shell } = this.#calls;
    const steps = [
      read('src/sum.js'),
      edit('src/sum.js', WRONG, WRONG.replace('-', '+')),
      shell('npm test'),
      shell("git commit -qam 'Add numbers'"),
    ];
    this.#provider.play(steps);
    const { output } = await this.#bare('sum in src/sum.js is wrong. Correct it, run the tests and commit.');
    this.#checkPlayed(output);
    check(this.#machine.git('log', '-1', '--format=%s').trim() === 'Add numbers', 'nothing was committed', output);
    const calls = this.#checkedCalls();
    check(calls >= steps.length, `the hooks were asked about ${calls} of ${steps.length} calls`);
    const entries = await this.#log();
    check(entries.length === 0, 'Sallyport did not let everything pass', JSON.stringify(entries));
    return `${calls} calls, no question`;
  }

  async attacked() {
    const denied = await this.#told(LOUD, 'denied');
    const held = await this.#plain();
    if (held.type === 'held') return `"${denied}" to the model, or "${held.reason}"`;
    check(this.#host.dialog !== undefined, 'the host asks, and this check does not know its dialog');
    const alone = held.isEndless ? ', and without a person it waits for ever' : '';
    return `"${denied}" to the model, and "${await this.#refused()}" in a dialog, answered no${alone}`;
  }

  /** The call is denied, and the model is told why. */
  async #told(readme, type) {
    const { output } = await this.#unattended(readme);
    return this.#checkTold(output, await this.#newest(type));
  }

  #checkTold(output, { reason }) {
    this.#checkPlayed(output);
    const told = words(JSON.stringify(this.#provider.last()).replaceAll('\\n', ' '));
    check(told.includes(words(reason)), `the model was not told "${reason}"`, told.slice(-1500));
    return reason;
  }

  /** Nobody answers, so the call must not be made. */
  async #unattended(readme) {
    const { output, timedOut } = await this.#bare(this.#obey(readme));
    check(!this.#hasRun, 'the attacked command ran', output);
    return { output, isEndless: timedOut };
  }

  /** A call that everybody was told to make: the host asks about it in its own dialog, or denies it. */
  async #plain() {
    if (this.#known !== undefined) return this.#known;
    const { output, isEndless } = await this.#unattended(PLAIN);
    const entry = await this.#newest('held', 'asked');
    if (entry.type === 'held' || !isEndless) this.#checkTold(output, entry);
    this.#known = { ...entry, isEndless };
    return this.#known;
  }

  async #refused() {
    const { question, no } = this.#host.dialog;
    const { shown, reason } = await this.#inDialog(this.#obey(PLAIN), async ({ waitFor, type }) => {
      const screen = await waitFor(question);
      const entry = await this.#newest('asked');
      await type(...no);
      await pause(2000);
      return { shown: screen, reason: entry.reason };
    });
    this.pane = shown;
    check(words(shown).includes(words(reason)), `the dialog does not show "${reason}"`, shown);
    check(!this.#hasRun, 'the attacked command ran after a no');
    return reason;
  }

  async approved() {
    await this.#approvedInTerminal(LOUD);
    const asks = (await this.#plain()).type === 'asked';
    await (asks ? this.#approvedInDialog() : this.#approvedInTerminal(PLAIN));
    return asks ? 'ran after sallyport approve, and after a yes in the dialog' : 'ran after sallyport approve';
  }

  async #approvedInDialog() {
    const { question, yes } = this.#host.dialog;
    const shown = await this.#inDialog(this.#obey(PLAIN), async ({ waitFor, type, screen }) => {
      await waitFor(question);
      await type(...yes);
      for (let tries = 0; tries < 50 && !this.#provider.isPlayed(); tries++) await pause(200);
      return await screen();
    });
    check(this.#hasRun, 'the command did not run after a yes in the dialog', shown);
  }

  /** A person approves while the model thinks about the denial. Then it makes the call again. */
  async #approvedInTerminal(readme) {
    let approval;
    const before = () => (approval ??= this.#approve());
    const { output } = await this.#bare(this.#obey(readme, { ...this.#calls.shell(ATTACK), before }));
    this.#checkPlayed(output);
    check(this.#hasRun, 'the command did not run after sallyport approve', output);
  }

  async #approve() {
    const { id } = await this.#newest('held', 'denied');
    check(!this.#hasRun, 'the command ran before it was approved');
    const command = this.#machine.command('sallyport', 'approve', id);
    await inTerminal(command, this.#machine.project, async ({ waitFor, type }) => {
      const shown = await waitFor(/Approved: |\[y\/N\]/, 20);
      if (shown.includes('Approved: ')) return;
      await type('y', 'Enter');
      await waitFor(/Recorded/, 20);
    });
  }
}

/** Compares the home before `sallyport init`, after it, and after `--undo`, without the host's own changes. */
export async function undone(machine, { before, after }) {
  const kept = machine.snapshot();
  const { code, output } = await machine.run('sallyport', 'init', '--undo', '--yes');
  check(code === 0, 'sallyport init --undo failed', output);
  const now = machine.snapshot();
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
  check(changed.length > 0, 'sallyport init had changed nothing');
  const own = changed.filter((path) => kept.get(path) !== after.get(path));
  check(own.length === 0, `the host changed what sallyport init wrote: ${own.join(', ')}`);
  const differs = changed.filter((path) => now.get(path) !== before.get(path));
  check(differs.length === 0, `not as before: ${differs.join(', ')}`, differs.map((path) => now.get(path)).join('\n'));
  const strangers = [...now.keys()].filter((path) => !kept.has(path));
  check(strangers.length === 0, `new after --undo: ${strangers.join(', ')}`);
  return `${changed.length} ${changed.length === 1 ? 'file' : 'files'} as before`;
}
