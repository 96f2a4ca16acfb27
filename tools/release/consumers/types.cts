import classifier = require('@sallyport/classifier');
import core = require('@sallyport/core');
import sallyport = require('sallyport');

// An `any` here would mean that the types were not found: `0 extends 1 & any` is true for nothing else.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const isAny: [IsAny<typeof core>, IsAny<typeof classifier>, IsAny<typeof sallyport>] = [false, false, false];
