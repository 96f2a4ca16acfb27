import { mastra } from '../src/driver/mastra.ts';
import { testDriver } from './suite.ts';

testDriver(mastra);
