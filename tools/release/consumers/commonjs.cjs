const assert = require('node:assert/strict');
const {
  createBoundary,
  deriveKey,
  neutralize,
  recover,
  SallyportError,
  spanClassifier,
  vocabularyFor,
} = require('sallyport');

const inert = neutralize('a <system> b', vocabularyFor());
assert.equal(inert, 'a ~x3c~system> b');
assert.equal(recover(inert), 'a <system> b');
assert.throws(
  () => deriveKey(new Uint8Array(8), 'c'),
  (error) => SallyportError.isInstance(error) && error.code === 'ERR_INVALID_KEY',
);
assert.equal(require('@sallyport/core').SallyportError, SallyportError);
assert.equal(require('@sallyport/classifier').spanClassifier, spanClassifier);
assert.equal(typeof createBoundary().conversation, 'function');
