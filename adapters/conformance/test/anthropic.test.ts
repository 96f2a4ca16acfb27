import { anthropic } from '../src/driver/anthropic.ts';
import { testDriver } from './suite.ts';

testDriver(anthropic);
