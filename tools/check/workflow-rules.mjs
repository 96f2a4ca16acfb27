// What a workflow or a composite action may contain. The lists name what is allowed; everything else is refused.
const TRIGGERS = new Set(['push', 'pull_request', 'schedule']);
const READING = new Set(['read', 'none']);
/** The jobs that may write: file, job and scope. */
const WRITING = new Set(['release.yml publish id-token', 'release.yml announce contents']);

const COMMIT = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;
const DIGEST = /^\S+@sha256:[0-9a-f]{64}$/;
// This check reads local actions as well.
const LOCAL = /^\.\/\.github\/actions\/[\w-]+(?:\/[\w-]+)*$/;
const HOSTED = /^(?:ubuntu|macos|windows)-[\w.-]+$/;

// GitHub inserts an expression as text, so a branch name in one can become a command, a shell, a folder or an option. An
// environment variable is only ever a value, and a condition, an output and the name of a group are never run.
const EXPRESSION_PLACES = [
  /^concurrency\/(?:group|cancel-in-progress)$/,
  /^(?:(?:jobs\/[^/]+|runs)\/)?(?:steps\/\d+\/)?(?:if|env\/[^/]+)$/,
  /^jobs\/[^/]+\/outputs\/[^/]+$/,
  /^outputs\/[^/]+\/value$/,
];

function* expressionProblems(value, path = []) {
  const place = path.map((key) => encodeURIComponent(key)).join('/');
  if (String(path.at(-1)).includes('${{')) yield `has an expression as a name at ${place}`;
  if (typeof value === 'string' && value.includes('${{') && !EXPRESSION_PLACES.some((allowed) => allowed.test(place)))
    yield `has an expression at ${place}: pass it through env`;
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* expressionProblems(inner, [...path, key]);
}

function* topPermissionProblems(permissions) {
  if (permissions === undefined || permissions === null) yield 'has no permissions at the top: write permissions: {}';
  else if (typeof permissions !== 'object') yield `gives ${permissions} at the top: name what is needed`;
  else
    for (const [scope, access] of Object.entries(permissions))
      if (!READING.has(access)) yield `gives ${scope}: ${access} at the top: give it to the one job that needs it`;
}

function* jobPermissionProblems(permissions, file, name) {
  if (permissions === undefined) return;
  if (typeof permissions !== 'object' || permissions === null) {
    yield `gives ${permissions}: name what is needed`;
    return;
  }
  for (const [scope, access] of Object.entries(permissions))
    if (!READING.has(access) && !WRITING.has(`${file} ${name} ${scope}`))
      yield `gives ${scope}: ${access}, which tools/check/workflow-rules.mjs does not allow it`;
}

function* triggerProblems(on) {
  const triggers = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {});
  if (triggers.length === 0) yield 'has no trigger';
  for (const trigger of triggers)
    if (!TRIGGERS.has(trigger))
      yield `runs on ${trigger}, which strangers can trigger with the rights of the repository`;
}

function* imageProblems({ container, services }) {
  const given = [container, ...Object.values(services ?? {})].filter((one) => one !== undefined && one !== null);
  for (const image of given.map((one) => (typeof one === 'string' ? one : one.image)))
    if (!DIGEST.test(String(image))) yield `runs the image ${image}, which is not pinned by a digest`;
}

function* stepProblems({ uses, with: inputs }) {
  if (uses === undefined) return;
  const isPinned = COMMIT.test(uses) || LOCAL.test(uses) || (uses.startsWith('docker://') && DIGEST.test(uses));
  if (!isPinned) yield `uses ${uses}, which is neither pinned by a commit of 40 digits nor in .github/actions`;
  if (/^actions\/checkout@/i.test(uses) && inputs?.['persist-credentials'] !== false)
    yield 'leaves a token in the checkout: set persist-credentials: false';
}

function* jobProblems(job, file, name) {
  yield* jobPermissionProblems(job.permissions, file, name);
  if (job.secrets !== undefined) yield 'passes secrets on';
  if (job.uses !== undefined && !COMMIT.test(job.uses)) yield `uses ${job.uses}, which is not pinned by a commit`;
  // A reusable workflow names its own machine.
  if (job.uses === undefined && !(typeof job['runs-on'] === 'string' && HOSTED.test(job['runs-on'])))
    yield `runs on ${JSON.stringify(job['runs-on'])}, which is not a machine hosted by GitHub`;
  yield* imageProblems(job);
  for (const step of job.steps ?? []) yield* stepProblems(step);
}

/**
 * @param {any} workflow as YAML has it
 * @param {string} file its name
 */
export function* workflowProblems(workflow, file) {
  yield* topPermissionProblems(workflow?.permissions);
  yield* triggerProblems(workflow?.on);
  yield* expressionProblems(workflow);
  const jobs = Object.entries(workflow?.jobs ?? {});
  if (jobs.length === 0) yield 'has no jobs: is it a workflow?';
  for (const [name, job] of jobs)
    for (const problem of jobProblems(job ?? {}, file, name)) yield `job ${name} ${problem}`;
}

/** @param {any} action as YAML has it */
export function* actionProblems(action) {
  yield* expressionProblems(action);
  if (action?.runs?.using !== 'composite') yield 'is not a composite action, so this check cannot read what it runs';
  for (const step of action?.runs?.steps ?? []) yield* stepProblems(step);
}
