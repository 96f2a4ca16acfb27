// Attacks in model output that send data to an address or lead a person to one. ../address/defuse.test.ts runs them.
import type { EgressAttack } from './egress/attack.ts';
import { htmlAttacks } from './egress/html.ts';
import { markdownAttacks } from './egress/markdown.ts';

export const egressAttacks: readonly EgressAttack[] = [...markdownAttacks, ...htmlAttacks];
