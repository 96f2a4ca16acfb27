import type { Attack } from './attack.ts';
import { CONFIGURE_ATTACKS } from './configure.ts';
import { DESTROY_ATTACKS } from './destroy.ts';
import { FETCH_ATTACKS } from './fetch.ts';
import { SEND_ATTACKS } from './send.ts';
import { SPEND_ATTACKS } from './spend.ts';
import { WRITE_ATTACKS } from './write.ts';

export const ATTACKS: readonly Attack[] = [
  ...SPEND_ATTACKS,
  ...SEND_ATTACKS,
  ...CONFIGURE_ATTACKS,
  ...DESTROY_ATTACKS,
  ...WRITE_ATTACKS,
  ...FETCH_ATTACKS,
];
