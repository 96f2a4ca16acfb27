import { vi } from 'vitest';
import { mastra } from '../src/driver/mastra.ts';
import { testDriver } from './suite.ts';

// The first run of an agent loads most of Mastra.
vi.setConfig({ testTimeout: 60_000 });
testDriver(mastra);
