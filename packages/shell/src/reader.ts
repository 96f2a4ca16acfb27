import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash';
import { either, enter, type Next, type Place, START, staying } from './folder.ts';
import { commandsOfFind, launchOf, readsScript, scriptIn, scriptsBeside } from './launch.ts';
import type { ShellCommand, ShellLine } from './line.ts';
import { NOTHING, redirected, type Scope, taking } from './scope.ts';
import { programOf, readArgument, readWord, type ShellWord, settingsOf } from './word.ts';

const MAX_COMMANDS = 1000;
/** Of substitutions and scripts in each other: the parser reads each when it is reached. */
const MAX_DEPTH = 10;

type Draft = { -readonly [Key in keyof ShellCommand]: ShellCommand[Key] };

/** Thrown where a line goes on too long or too deep to be read. */
class TooMuch extends Error {}

function pathOf(name: ShellWord | undefined, program: string): Pick<Draft, 'path'> {
  return name === undefined || name.text === program ? {} : { path: name.text };
}

/** Reads one line. */
export class Reader {
  readonly #commands: Draft[] = [];
  /** The indexes of commands in `>(...)`, whose output is not that of the command around them. */
  readonly #outward = new Set<number>();
  #isOpaque = false;
  #depth = 0;

  read(line: string): ShellLine {
    try {
      this.#script(line, START, { taken: NOTHING });
    } catch (cause) {
      // The parser and this class go down into what is nested until the stack is full.
      if (!(cause instanceof TooMuch || cause instanceof RangeError)) throw cause;
      this.#isOpaque = true;
    }
    return { commands: this.#commands, isOpaque: this.#isOpaque };
  }

  #deeper<T>(visit: () => T): T {
    if (this.#depth >= MAX_DEPTH) throw new TooMuch();
    this.#depth += 1;
    const result = visit();
    this.#depth -= 1;
    return result;
  }

  #script(text: string, at: Place, scope: Scope): Next {
    return this.#deeper(() => this.#visit(parse(text), at, scope));
  }

  #visit(node: SyntaxNode, at: Place, scope: Scope): Next {
    switch (node.type) {
      case 'Script':
        if ('errors' in node && node.errors !== undefined && node.errors.length > 0) this.#isOpaque = true;
        return this.#sequence(node.commands, at, scope);
      case 'CompoundList':
        return this.#sequence(node.commands, at, scope);
      case 'Statement': {
        const next = this.#visit(node.command, at, scope);
        return node.background ? staying(at) : next;
      }
      case 'AndOr':
        return this.#andOr(node, at, scope);
      case 'Pipeline':
        return this.#pipeline(node, at, scope);
      case 'Redirected':
        return this.#visit(node.command, at, this.#redirected(node.redirects, at, scope));
      case 'Command':
        return this.#command(node, at, scope);
      case 'BraceGroup':
        return this.#visit(node.body, at, scope);
      case 'Subshell':
      case 'Coproc':
        this.#visit(node.body, at, scope);
        return staying(at);
      case 'If':
        return this.#if(node, at, scope);
      case 'For':
      case 'Select':
        this.#set(node.name.value, node.wordlist ?? [], at, scope);
        return this.#repeated([node.body], at, scope);
      case 'ArithmeticFor':
        return this.#repeated(
          [node.initialize, node.test, node.body, node.update].filter((each) => each !== undefined),
          at,
          scope,
        );
      case 'While':
        return this.#repeated([node.clause, node.body], at, scope);
      case 'Function':
        // Where it is called is not followed.
        return this.#repeated([node.body], at, scope, true);
      case 'Case':
        this.#within([node.word], at, scope);
        return staying(node.items.reduce((end, item) => either(end, this.#repeated([item], at, scope).end), at));
      case 'ProcessSubstitution':
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
        this.#substitution(node, at, scope);
        return staying(at);
      default:
        return this.#children(node, at, scope);
    }
  }

  #children(node: SyntaxNode, at: Place, scope: Scope): Next {
    let end = at;
    forEachChild(node, (child) => {
      end = this.#visit(child, end, scope).end;
    });
    return staying(end);
  }

  #sequence(nodes: readonly SyntaxNode[], at: Place, scope: Scope): Next {
    return nodes.reduce((next, node) => this.#visit(node, next.end, scope), staying(at));
  }

  #andOr(node: Extract<SyntaxNode, { type: 'AndOr' }>, at: Place, scope: Scope): Next {
    return node.commands.reduce((last, command, index) => {
      const operator = node.operators[index - 1];
      const next = this.#visit(command, operator === '&&' ? last.ok : last.end, scope);
      if (operator === undefined) return next;
      if (operator === '&&') return { ok: next.ok, end: either(last.end, next.end) };
      const isLeft = command.type === 'Command' && command.name?.text === 'exit';
      return isLeft ? staying(last.ok) : { ok: either(last.ok, next.ok), end: either(last.end, next.end) };
    }, staying(at));
  }

  #pipeline({ commands, prefixes }: Extract<SyntaxNode, { type: 'Pipeline' }>, at: Place, scope: Scope): Next {
    const [first] = commands;
    if (first !== undefined && commands.length === 1) {
      const next = this.#visit(first, at, scope);
      return prefixes.some(({ type }) => type === 'Negation') ? staying(next.end) : next;
    }
    let piped = scope;
    for (const [index, command] of commands.entries()) {
      const writes = index === commands.length - 1 ? scope.taken.writes : [];
      const outputs = this.#outputsOf(() => this.#visit(command, at, taking(piped, { writes })));
      const pipedFrom = outputs.at(-1);
      const uses = [...scope.taken.uses, ...outputs.slice(0, -1)];
      piped = taking(scope, { uses, ...(pipedFrom !== undefined && { pipedFrom }) });
    }
    return staying(at);
  }

  /** The commands whose output is that of what is visited: all that are not read by one of the others. */
  #outputsOf(visit: () => void): readonly number[] {
    const from = this.#commands.length;
    visit();
    const own = this.#commands.slice(from);
    const taken = new Set(own.flatMap(({ uses, pipedFrom }) => [...uses, pipedFrom]));
    return own.map((_, index) => from + index).filter((index) => !taken.has(index) && !this.#outward.has(index));
  }

  #if(node: Extract<SyntaxNode, { type: 'If' }>, at: Place, scope: Scope): Next {
    let clause = this.#visit(node.clause, at, scope);
    let { end } = this.#visit(node.then, clause.ok, scope);
    for (const { clause: test, then } of node.elif) {
      clause = this.#visit(test, clause.end, scope);
      end = either(end, this.#visit(then, clause.ok, scope).end);
    }
    const otherwise = node.else === undefined ? clause : this.#visit(node.else, clause.end, scope);
    return staying(either(end, otherwise.end));
  }

  /** What may run never, once, or again where it has led. */
  #repeated(nodes: readonly SyntaxNode[], at: Place, scope: Scope, isElsewhere: boolean = false): Next {
    const from = this.#commands.length;
    const last = nodes.reduce(
      (next, node) =>
        node.type === 'CaseItem' ? this.#children(node, next.ok, scope) : this.#visit(node, next.ok, scope),
      staying(at),
    );
    const after = either(at, last.end);
    if (after !== at || isElsewhere) for (const command of this.#commands.slice(from)) command.isFolderSure = false;
    return staying(after);
  }

  #substitution(
    node: Extract<SyntaxNode, { type: 'ProcessSubstitution' | 'CommandExpansion' | 'ArithmeticCommandExpansion' }>,
    at: Place,
    scope: Scope,
  ): void {
    const { script } = node;
    const isOutward = node.type === 'ProcessSubstitution' && node.operator === '>';
    if (script === undefined || (isOutward && scope.writer === undefined)) this.#isOpaque = true;
    if (script === undefined) return;
    const from = this.#commands.length;
    const pipedFrom = isOutward ? scope.writer : undefined;
    this.#deeper(() => this.#visit(script, at, pipedFrom === undefined ? scope : taking(scope, { pipedFrom })));
    if (isOutward) for (let index = from; index < this.#commands.length; index++) this.#outward.add(index);
  }

  /** Visits what words contain, and returns the commands whose output becomes a part of them. */
  #within(nodes: readonly SyntaxNode[], at: Place, scope: Scope): readonly number[] {
    return this.#outputsOf(() => {
      for (const node of nodes) this.#visit(node, at, taking(scope, { writes: [] }));
    });
  }

  #set(name: string, words: readonly Word[], at: Place, scope: Scope): void {
    const value = words.map((word) => readWord(word).text).join(' ');
    const command = this.#add({ program: '', words: [], assignments: { [name]: value } }, at);
    command.uses = this.#within(words, at, scope);
  }

  #redirected(redirects: readonly Redirection[], at: Place, scope: Scope): Scope {
    if (redirects.some((each) => each.type !== 'HereDoc' && each.target === undefined)) this.#isOpaque = true;
    return redirected(redirects, taking(scope, { uses: [...scope.taken.uses, ...this.#within(redirects, at, scope)] }));
  }

  #add(named: Pick<Draft, 'program' | 'words' | 'assignments' | 'path'>, at: Place): Draft {
    if (this.#commands.length >= MAX_COMMANDS) throw new TooMuch();
    const folder = at.folder === undefined ? {} : { folder: at.folder };
    const command: Draft = { ...named, ...NOTHING, ...folder, isFolderSure: at.isSure };
    this.#commands.push(command);
    return command;
  }

  #command(node: Command, at: Place, outer: Scope): Next {
    const name = node.name === undefined ? [] : [readWord(node.name)];
    const words = [...name, ...node.args.map(readArgument)];
    return this.#launch(words, settingsOf(node), at, outer, node);
  }

  /** Adds the command that words run, with what is in the words and redirections of its node. */
  #launch(
    all: readonly ShellWord[],
    settings: readonly (readonly [string, string])[],
    at: Place,
    outer: Scope,
    node?: Command,
  ): Next {
    const launch = launchOf(all);
    if (launch.isUnknown) this.#isOpaque = true;
    const [name, ...given] = launch.words;
    const program = name === undefined ? '' : programOf(name);
    const script = scriptIn(launch.words);
    const assignments = Object.fromEntries([...settings, ...launch.assignments]);
    // What is set holds for all commands of a script.
    const isReplaced = script?.isAll === true && !script.word.hasOutput && Object.keys(assignments).length === 0;
    const index = isReplaced ? undefined : this.#commands.length;
    const words = given.map(({ text }) => text);
    const command = isReplaced ? undefined : this.#add({ program, words, assignments, ...pathOf(name, program) }, at);
    const around = { ...outer, writer: index, placeholder: launch.placeholder ?? outer.placeholder };
    const own = node === undefined ? around : this.#inside(node, at, around);
    const { through, reads, writes, uses, pipedFrom } = own.taken;
    const isFed = launch.through.includes('xargs') && pipedFrom !== undefined;
    const scope = taking(own, {
      through: [...through, ...launch.through],
      reads: [...reads, ...launch.reads],
      writes: [...writes, ...launch.writes],
      uses: isFed ? [...uses, pipedFrom] : uses,
    });
    if (command !== undefined) Object.assign(command, scope.taken);
    const inner = taking({ ...scope, writer: undefined }, { through: [...scope.taken.through, program] });
    const next = script === undefined ? staying(at) : this.#given(script.word, at, inner);
    this.#beside(program, given, at, inner, index);
    if (launch.through.some((each) => each !== 'command' && each !== 'builtin')) return staying(at);
    return program === 'eval' ? next : (enter(program, given, at) ?? staying(at));
  }

  /** What the words and redirections of a node contain. */
  #inside({ name, prefix, suffix, redirects }: Command, at: Place, scope: Scope): Scope {
    const words = [name, ...prefix, ...suffix].filter((each) => each !== undefined);
    const plain = words.filter(({ type }) => type === 'Word' || type === 'Assignment');
    const uses = this.#within(plain, at, scope);
    return this.#redirected(redirects, at, taking(scope, { uses: [...scope.taken.uses, ...uses] }));
  }

  /** Reads a script that a word holds. One in which something is filled in may be another one. */
  #given(word: ShellWord, at: Place, scope: Scope): Next {
    const { placeholder } = scope;
    if (word.isComputed || (placeholder !== undefined && word.text.includes(placeholder))) this.#isOpaque = true;
    return word.hasOutput ? staying(at) : this.#script(word.text, at, scope);
  }

  /** The scripts and commands that a command runs besides its own work. */
  #beside(program: string, given: readonly ShellWord[], at: Place, scope: Scope, index: number | undefined): void {
    const { input, ...others } = scope;
    if (input !== undefined && readsScript(program, given)) {
      const { input: _, ...taken } = others.taken;
      this.#given(input, at, { ...others, taken });
    }
    for (const word of scriptsBeside(program, given)) this.#given(word, at, scope);
    for (const words of commandsOfFind(program, given)) {
      const found = index === undefined ? [] : [index];
      const within = taking({ ...scope, placeholder: '{}' }, { uses: [...scope.taken.uses, ...found] });
      this.#deeper(() => this.#launch(words, [], at, within));
    }
  }
}
