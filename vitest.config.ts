import { defineConfig } from 'vitest/config';
import { mutationPlugins } from './mutations/plugin.ts';

const conditions = ['@sallyport/source'];
const ALL = ['{packages,adapters}/*/test/**/*.test.{ts,tsx}', 'evals/live/test/*.test.ts'];
const CORE = 'packages/core/test/**/*.test.ts';
// Its HTTP server replaces the Request and Response of the process.
const GATEWAY = 'packages/gateway/test/**/*.test.ts';
// Starts a browser and a gateway in each file, so that it has a job of its own.
const CONSOLE = 'packages/console/test/**/*.test.ts';
// Files that replace modules, or that test state of the whole process: each gets its own copy of the modules.
const ISOLATED = [
  'packages/sandbox/test/**/*.test.ts',
  'packages/cli/test/**/*.test.ts',
  'packages/classifier/test/weights.test.ts',
];

export default defineConfig({
  plugins: mutationPlugins(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Only a test that hangs fails by time: a busy machine is slow. Tests of speed compare two measurements of one run.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    maxWorkers: '100%',
    globalSetup: ['./vitest.build.ts'],
    setupFiles: ['./vitest.setup.ts'],
    projects: [
      { extends: true, test: { name: 'core', include: [CORE], isolate: false } },
      { extends: true, test: { name: 'gateway', include: [GATEWAY], isolate: false } },
      {
        extends: true,
        test: { name: 'others', include: ALL, exclude: [CORE, GATEWAY, CONSOLE, ...ISOLATED], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      { extends: true, test: { name: 'console', include: [CONSOLE] } },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/core/src/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
