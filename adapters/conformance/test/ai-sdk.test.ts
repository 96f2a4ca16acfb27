import { aiSdk } from '../src/driver/ai-sdk.ts';
import { testDriver } from './suite.ts';

testDriver(aiSdk);
