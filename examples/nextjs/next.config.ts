import type { NextConfig } from 'next';

const config: NextConfig = {
  // The lock file of the repository is not that of this project.
  turbopack: { root: import.meta.dirname },
};

export default config;
