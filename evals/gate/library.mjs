// The built packages, as every set of conversations uses them.
import { fail } from '../../tools/command.mjs';

/** @typedef {Awaited<ReturnType<typeof loadLibrary>>} Library */

/** After a failure the built-in words decide, and the figures would be of something else. */
function refuseFailure({ type, cause }) {
  if (type === 'authorize-failed') fail(`authorize failed: ${cause}`, 'check that the labels name declared tools', 2);
}

export async function loadLibrary() {
  const load = (path) =>
    import(path).catch((error) => fail(`${path} cannot be loaded: ${error.message}`, 'run npm run build', 2));
  const core = await load('../../packages/core/dist/index.js');
  const { memoryVerdictCache } = await load('../../packages/core/dist/stages.js');
  const { spanClassifier } = await load('../../packages/classifier/dist/index.js');
  // A verdict depends on the text alone, so no text is classified twice.
  const cache = memoryVerdictCache(200_000);
  return {
    source: core.source,
    prompt: core.prompt,
    dangerouslyTrust: core.dangerouslyTrust,
    classifier: spanClassifier.id,
    /**
     * @param {readonly import('@sallyport/core').ToolDefinition[]} tools
     * @param {string} preset
     * @param {{ table?: import('@sallyport/core').TableChanges, observe?: boolean, authorize?: import('@sallyport/core').Authorize }} [options]
     */
    boundary: (tools, preset, { table = {}, observe = false, authorize } = {}) =>
      core.createBoundary({
        tools: tools.map((tool) => core.defineTool(tool)),
        classifier: spanClassifier,
        cache,
        ...(authorize && { authorize, onEvent: refuseFailure }),
        gate: { preset, table, observe },
      }),
  };
}
