// The built packages of a checkout, as the unseen sets use them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from '../../tools/command.mjs';

/** The day on which all conversations are played: the judge is told the date, and a recorded answer is found by what it was asked. */
const TODAY = Date.UTC(2026, 2, 10);

/** A declaration without names in `modelText` that the schema does not have: the library refuses those, and its author would remove them. */
function checked({ modelText, ...tool }) {
  const names = tool.parameters?.properties;
  if (modelText === undefined) return tool;
  return {
    ...tool,
    modelText: names === undefined ? modelText : modelText.filter((name) => Object.hasOwn(names, name)),
  };
}

/** @param {string} [checkout] the folder of a built checkout, to play an earlier version */
export async function loadLibrary(checkout = root) {
  const load = (path) =>
    import(pathToFileURL(join(checkout, 'packages', path)).href).catch((error) =>
      fail(`packages/${path} cannot be loaded: ${error.message}`, 'run npm run build', 2),
    );
  const core = await load('core/dist/index.js');
  const { memoryVerdictCache } = await load('core/dist/stages.js');
  const { spanClassifier } = await load('classifier/dist/index.js');
  // A verdict depends on the text alone, so no text is classified twice.
  const cache = memoryVerdictCache(200_000);
  return {
    core,
    /** A boundary over tools as an author declares them. `options` are those of createBoundary(). */
    boundary: (tools, options = {}) =>
      core.createBoundary({
        tools: Object.entries(tools).map(([name, tool]) => core.defineTool({ name, ...checked(tool) })),
        classifier: spanClassifier,
        cache,
        timeout: 60_000,
        clock: () => TODAY,
        ...options,
      }),
  };
}
