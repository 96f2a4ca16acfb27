import { googleGenai, googleGenaiWithoutIds } from '../src/driver/google-genai.ts';
import { testDriver } from './suite.ts';

testDriver(googleGenai);
testDriver(googleGenaiWithoutIds);
