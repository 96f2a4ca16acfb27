import core = require('@sallyport/core');

// An `any` here would mean that the types were not found: `0 extends 1 & any` is true for nothing else.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const isAny: IsAny<typeof core> = false;
