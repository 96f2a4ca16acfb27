import { defineConfig } from 'vitest/config';
import { mutationPlugins } from './tools/mutation-plugin.ts';

const conditions = ['@sallyport/source'];
export default defineConfig({
  plugins: mutationPlugins(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,adapters}/*/test/**/*.test.ts'],
    // A machine may be busy: only what hangs is to fail by time. What must be fast measures itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
