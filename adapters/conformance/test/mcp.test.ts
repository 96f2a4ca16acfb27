import { mcp } from '../src/driver/mcp.ts';
import { testDriver } from './suite.ts';

testDriver(mcp);
