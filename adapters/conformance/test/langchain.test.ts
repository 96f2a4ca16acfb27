import { langchain, langgraph } from '../src/driver/langchain.ts';
import { testDriver } from './suite.ts';

testDriver(langchain);
testDriver(langgraph);
