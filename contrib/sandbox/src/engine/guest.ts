/** Maximum characters of a thrown error's message. */
export const MAX_MESSAGE_LENGTH = 500;

/**
 * The code that runs in a machine before the script. A script that tampers with it harms only itself: only a name and JSON text
 * leave the machine, and the host trusts neither.
 */
export const GUEST: string = `(function (call, finish) {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty, freeze } = Object;
  const waiting = [];
  const describe = (error) => {
    try {
      const text = error instanceof Error ? error.name + ': ' + error.message : 'threw ' + stringify(error);
      return text.length > ${MAX_MESSAGE_LENGTH} ? text.slice(0, ${MAX_MESSAGE_LENGTH}) : text;
    } catch {
      return 'threw something that cannot be shown';
    }
  };
  const offer = (name) => {
    const offered = (...given) =>
      new Promise((resolve, reject) => {
        const text = stringify(given);
        waiting[call(name, text)] = { resolve, reject };
      });
    defineProperty(globalThis, name, { value: freeze(offered), enumerable: true });
  };
  const settle = (index, ok, text) => {
    const { resolve, reject } = waiting[index];
    waiting[index] = undefined;
    if (ok) resolve(parse(text));
    else reject(new Error(text));
  };
  const start = (script, names, input) => {
    for (const name of parse(names)) offer(name);
    defineProperty(globalThis, 'input', { value: parse(input), enumerable: true });
    script().then(
      (value) => {
        let text;
        try {
          text = stringify(value);
        } catch (error) {
          return finish(false, describe(error));
        }
        finish(true, text === undefined ? 'null' : text);
      },
      (error) => finish(false, describe(error)),
    );
  };
  return { settle, start };
})`;

/** The script as the body of an async function, with unchanged line numbers. */
export function asFunction(source: string): string {
  return `(async () => {'use strict';${source}\n})`;
}
