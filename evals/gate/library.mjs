// The built packages, as every set of conversations uses them.
import { fail } from '../../tools/command.mjs';

/** @typedef {Awaited<ReturnType<typeof loadLibrary>>} Library */

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
     */
    boundary: (tools, preset) =>
      core.createBoundary({
        tools: tools.map((tool) => core.defineTool(tool)),
        classifier: spanClassifier,
        cache,
        gate: { preset },
      }),
  };
}
