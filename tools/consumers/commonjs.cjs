const assert = require('node:assert/strict');
const { deriveKey, neutralize, recover, SallyportError, vocabularyFor } = require('@sallyport/core');

const inert = neutralize('a <system> b', vocabularyFor());
assert.equal(inert, 'a ~x3c~system> b');
assert.equal(recover(inert), 'a <system> b');
assert.throws(
  () => deriveKey(new Uint8Array(8), 'c'),
  (error) => SallyportError.isInstance(error) && error.code === 'ERR_INVALID_KEY',
);
