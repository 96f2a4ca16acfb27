import { openaiChat, openaiResponses } from '../src/driver/openai.ts';
import { testDriver } from './suite.ts';

testDriver(openaiChat);
testDriver(openaiResponses);
