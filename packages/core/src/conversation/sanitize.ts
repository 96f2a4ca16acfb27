import { defuse, type SanitizedOutput } from '../address/defuse.ts';
import type { Address } from '../address/find-addresses.ts';
import type { Transcript } from '../provenance/transcript.ts';

/** Withholds an address unless a trusted source wrote it, or it is a link quoted whole from content in which nothing was flagged. */
export function sanitizeAnswer(text: string, transcript: Transcript, isPart = false): SanitizedOutput {
  const trace = transcript.tracer();
  const decide = ({ text: address, kind }: Address): 'keep' | 'withhold' => {
    const { trust, pieces } = trace(address);
    // An address without a full stop has no host: what follows its scheme is data.
    const isQuoted = pieces.length === 1 && pieces[0]?.how === 'whole' && address.includes('.');
    const isKnownLink = kind === 'followed' && isQuoted && trust === 'open';
    const isTrusted = trace(address, 'url').vouchedBy !== undefined || transcript.isDevelopers(address);
    return isTrusted || isKnownLink ? 'keep' : 'withhold';
  };
  return defuse(text, decide, isPart);
}
