// The programs of `npm run bench`, `eval`, `fuzz` and `check`: name, file and one line about each.

/**
 * @typedef {object} Program
 * @property {string} file path in the repository
 * @property {string} about
 * @property {boolean} [build] builds the packages first
 * @property {boolean} [source] runs TypeScript, and reads the packages of this repository from their sources
 */

/** @type {Record<string, Record<string, Program>>} */
export const PROGRAMS = {
  bench: {
    core: { file: 'bench/core.mjs', about: 'framing and rendering, against JSON.stringify and joining', build: true },
    linear: { file: 'bench/linear.mjs', about: 'every public function over the worst inputs of 1 MB', build: true },
    classifier: { file: 'bench/classifier.mjs', about: 'CPU time of the classifier', build: true },
    bundle: { file: 'bench/bundle.mjs', about: 'a minimal protected agent, minified and gzipped', build: true },
    house: {
      file: 'bench/house.mjs',
      about: 'source lines, and the files that run for a result and a call',
      build: true,
    },
    gate: { file: 'bench/gate.mjs', about: 'a decision after 10 MB of tool results', build: true },
    wrap: { file: 'bench/wrap.ts', about: '`sallyport wrap`, against a proxy that copies', build: true, source: true },
    'wrap-cost': {
      file: 'bench/wrap-cost.ts',
      about: 'CPU per call, CPU to start and memory of wrapped servers',
      build: true,
      source: true,
    },
    'wrap-profile': {
      file: 'bench/wrap-profile.ts',
      about: 'where a wrapped server spends its time, by stage',
    },
    listings: {
      file: 'bench/listings.ts',
      about: 'tokens of the tool listings of published servers, bare and wrapped',
      build: true,
      source: true,
    },
    tokens: {
      file: 'bench/tokens.ts',
      about: 'tokens of a wrapped result, against the bare one',
      build: true,
      source: true,
    },
    block: { file: 'bench/block.ts', about: 'the gateway while hostile requests arrive', build: true, source: true },
    streams: {
      file: 'bench/streams.ts',
      about: 'the gateway with 2,000 open streams, and its memory after 100 MB of text',
      build: true,
      source: true,
    },
    console: {
      file: 'bench/console.ts',
      about: 'the console with 10,000 messages and 500 held calls, against a bare list',
      build: true,
      source: true,
    },
    gateway: { file: 'bench/gateway.ts', about: 'the gateway, with PostgreSQL and Redis', build: true, source: true },
    'hook-daemon': {
      file: 'bench/hook-daemon.ts',
      about: 'the memory of the local process over many sessions of hooks',
      source: true,
      build: true,
    },
    replay: { file: 'bench/replay.mjs', about: '`sallyport replay` over 1 GB of logs', build: true },
    sandbox: { file: 'bench/sandbox.ts', about: 'scripts, against the bare engine', build: true, source: true },
    adapters: { file: 'bench/adapters.ts', about: 'a model call, against the bare framework', source: true },
  },
  eval: {
    shipped: { file: 'evals/spans/shipped.mjs', about: 'false alarms on receipts of tools, READMEs and source files' },
    spans: { file: 'evals/spans/run.mjs', about: 'the classifier on the held-out sources' },
    folding: { file: 'evals/spans/folding.mjs', about: 'the same texts in long and in wrapped lines' },
    obfuscation: { file: 'evals/spans/obfuscate.mjs', about: 'the same attacks in disguise' },
    ablation: { file: 'evals/spans/ablate.mjs', about: 'the classifier without each of its parts' },
    'second-tier': { file: 'evals/spans/second-tier.mjs', about: 'trains the second tier, and what it adds' },
    errors: { file: 'evals/spans/errors.mjs', about: 'prints missed attacks and false alarms' },
    compare: { file: 'evals/spans/compare.mjs', about: 'writes the tables that compare the classifier with others' },
    peers: { file: 'evals/peers/run.mjs', about: 'other libraries on the same sources' },
    decode: { file: 'evals/decode/run.mjs', about: 'decoding, against other decoders' },
    unseen: {
      file: 'evals/unseen/run.mjs',
      about: 'unseen rounds and known sets, with a recorded judge and without',
      build: true,
    },
    golden: {
      file: 'evals/unseen/golden.mjs',
      about: 'facts and decision of every recorded call, against the committed ones',
      build: true,
    },
    red: { file: 'evals/unseen/red.mjs', about: 'what a red team reached before, with a judge that says no' },
    persuade: {
      file: 'evals/unseen/persuade.mjs',
      about: 'attacks on the judge, answered by the recorded one',
      build: true,
    },
    judge: { file: 'evals/unseen/judge.mjs', about: 'a judge at an endpoint, on the questions of a set', build: true },
    coding: {
      file: 'evals/unseen/coding.ts',
      about: 'unseen and recorded coding sessions through a hook',
      build: true,
      source: true,
    },
    wrapped: {
      file: 'evals/unseen/wrap.ts',
      about: 'unseen conversations through a wrapped server',
      build: true,
      source: true,
    },
    gate: { file: 'evals/gate/run.mjs', about: 'attacks and everyday work under the gate', build: true },
    sessions: {
      file: 'evals/sessions/run.ts',
      about: 'everyday and attacked sessions, through hooks and wrapped servers',
      build: true,
      source: true,
    },
    live: {
      file: 'evals/live/run/run.ts',
      about: 'an agent with tools, against a scripted model or your endpoint, with attacks; --check plays a few',
      source: true,
    },
    secrets: {
      file: 'evals/secrets/run.ts',
      about: 'false alarms of the search for secrets, and what it costs',
      source: true,
    },
    train: { file: 'training/run.mjs', about: 'trains the classifier and writes its weights' },
  },
  fuzz: {
    core: { file: 'packages/core/fuzz/run.mjs', about: 'the invariants of core; --gate for those of the gate' },
    wrap: { file: 'packages/mcp-proxy/fuzz/run.mjs', about: 'MCP messages through the proxy', build: true },
    sandbox: { file: 'contrib/sandbox/fuzz/fuzz.mjs', about: 'random programs as scripts', build: true, source: true },
    hostile: {
      file: 'contrib/sandbox/fuzz/hostile.mjs',
      about: 'hostile scripts in sequence',
      build: true,
      source: true,
    },
  },
  check: {
    exports: { file: 'tools/check/exports.mjs', about: 'that every export of sallyport has an example' },
    promises: { file: 'tools/check/promises.mjs', about: 'each sentence of SECURITY.md, with its test' },
    structure: { file: 'tools/docs/structure.mjs', about: 'draws docs/structure.svg; --check writes nothing' },
    'under-load': { file: 'tools/under-load.mjs', about: 'the whole test suite, five times under load' },
    figures: { file: 'tools/check/figures.mjs', about: 'the numbers in documents; --check writes nothing' },
    corpus: { file: 'training/check/check.mjs', about: 'the training corpus' },
    conformance: {
      file: 'adapters/conformance/run/conformance.ts',
      about: 'adapters on real frameworks',
      source: true,
    },
    'type-mistakes': {
      file: 'tools/check/type-mistakes.mjs',
      about: 'mistakes in `protect()` that must not compile; --check writes nothing',
    },
    settings: {
      file: 'tools/check/settings.mjs',
      about: 'what a developer writes about each tool; --check writes nothing',
      source: true,
    },
    'conformance-peers': {
      file: 'adapters/conformance/run/peers.mjs',
      about: 'adapters on the oldest supported versions',
    },
    'conformance-wrap': {
      file: 'apps/cli/conformance/conformance.ts',
      about: '`sallyport wrap` with real MCP clients and servers',
      build: true,
      source: true,
    },
    console: {
      file: 'apps/console/stress/console.mjs',
      about: 'the console in a browser: flows, attacks, accessibility, size',
      build: true,
    },
    faults: { file: 'apps/gateway/stress/faults.ts', about: 'the gateway under faults', build: true, source: true },
    postgres: {
      file: 'apps/gateway/stress/versions.ts',
      about: 'the store of the gateway on PostgreSQL 15 to 18 and through PgBouncer',
      source: true,
    },
    chart: { file: 'tools/check/chart.mjs', about: 'the chart with helm, and its alerts with promtool' },
    image: {
      file: 'apps/gateway/stress/image.ts',
      about: "builds the gateway's image with buildah and runs it",
      source: true,
    },
    forgeries: { file: 'apps/gateway/stress/forgeries.mjs', about: 'changes of the audit that must be detected' },
    attacks: { file: 'apps/gateway/stress/attacks.mjs', about: 'attacks on every endpoint of the gateway' },
    soak: { file: 'apps/gateway/stress/soak.ts', about: 'the gateway under long load', build: true, source: true },
    pack: { file: 'tools/release/pack.mjs', about: 'what would be published' },
    consumers: { file: 'tools/release/consumers.mjs', about: 'the packed packages in fresh projects' },
    sbom: { file: 'tools/release/sbom.mjs', about: 'what each package needs at run time, as CycloneDX' },
    audit: { file: 'tools/check/audit.mjs', about: 'known vulnerabilities in what the packages need' },
    lock: { file: 'tools/release/complete-lock.mjs', about: 'completes package-lock.json for all platforms' },
    hosts: {
      file: 'tools/check/hosts.mjs',
      about: 'the hooks with real coding agents: Claude Code, Gemini CLI, Codex, opencode, Copilot CLI',
      source: true,
    },
    site: { file: 'tools/docs/site/look.mjs', about: 'the built site in a browser, with axe-core', build: true },
  },
};
