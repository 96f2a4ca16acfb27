import { parseJson } from '../base/parse-json.ts';
import { hasLiteral, mentions, type ScriptOrigin } from '../call/script.ts';
import type { Supplier } from '../call/table-changes.ts';
import { vouches } from '../label/label.ts';
import { POLICY_ID } from '../provenance/ledger-entry.ts';
import type { Occurrence } from '../provenance/occurrence.ts';
import { isUnfinished, type Provenance } from '../provenance/trace.ts';
import { type Argument, MAX_MEMBERS } from '../provenance/trace-call.ts';
import type { TrustClass } from '../provenance/trust.ts';
import { Destinations, isChosenByOthers, TELLS_OTHERS, textsOf } from './destination.ts';
import { disclosureOf } from './disclosure.ts';
import type { Facts, ValueFacts } from './facts.ts';
import type { Inspection } from './inspection.ts';
import { nameOfTool } from './names.ts';

const SUPPLIER_OF: Readonly<Record<TrustClass, Supplier>> = {
  vouched: 'trusted',
  own: 'model',
  open: 'content',
  requested: 'content',
  suspect: 'content',
  flagged: 'instructed',
};

/** Who wrote the text at a place, in our words. */
function placeOf({ toolOf, labelOf }: Inspection, { recordId }: Occurrence): string {
  const integrity = labelOf(recordId)?.integrity;
  if (integrity === 'user') return 'words that the user quotes';
  const name = nameOfTool(toolOf(recordId)?.name ?? '');
  const what = toolOf(recordId) === undefined ? 'content' : name;
  return `${what}, ${integrity === 'workspace' ? "in the user's workspace" : 'where outsiders write'}`;
}

/** The occurrence that gives a value its trust class. */
function worstPlace({ trust, pieces }: Provenance): Occurrence | undefined {
  const places = pieces.filter((piece) => piece.trust === trust).flatMap(({ occurrences }) => occurrences);
  return places.find((each) => each.trust === trust) ?? places[0];
}

function trustedFrom(inspection: Inspection, { vouchedBy, pieces }: Provenance): string {
  if (vouchedBy === 'person') return 'approved by a person';
  const [place] = pieces.flatMap(({ occurrences }) => occurrences);
  if (place === undefined) return "listed in the tool's schema";
  const tool = inspection.toolOf(place.recordId);
  if (vouchedBy === 'field') return `a field that the service of ${nameOfTool(tool?.name ?? '')} writes`;
  if (place.recordId === POLICY_ID) return 'given by the application';
  return inspection.labelOf(place.recordId)?.integrity === 'user'
    ? 'said by the user'
    : `from ${nameOfTool(tool?.name ?? '')}, a trusted tool`;
}

const MINTED: Readonly<Partial<Record<TrustClass, string>>> = {
  own: " for the agent's own values",
  open: ' for values that others wrote',
};

/** Where a value comes from: a closed set of words, in which only names of declared tools differ. */
function fromOf(inspection: Inspection, provenance: Provenance): string {
  const { trust, vouchedBy, mintedBy } = provenance;
  if (isUnfinished(provenance)) return 'not checked';
  if (trust === 'vouched' && vouchedBy !== undefined) return trustedFrom(inspection, provenance);
  if (mintedBy !== undefined && (trust === 'vouched' || MINTED[trust] !== undefined))
    return `an identifier that ${nameOfTool(mintedBy)} returned${MINTED[trust] ?? ''}`;
  const place = worstPlace(provenance);
  if (place === undefined || trust === 'own') return "the agent's own words";
  const where = placeOf(inspection, place);
  switch (trust) {
    case 'requested':
      return `from a request in ${where}`;
    case 'suspect':
    case 'flagged':
      return `from text that may be an instruction to the agent, in ${where}`;
    default:
      return `from ${where}`;
  }
}

function factsOfProvenance(
  inspection: Inspection,
  provenance: Provenance,
): Pick<ValueFacts, 'supplier' | 'from' | 'isVouched'> {
  const { trust, vouchedBy } = provenance;
  return {
    supplier: SUPPLIER_OF[trust],
    from: fromOf(inspection, provenance),
    isVouched: vouchedBy !== undefined,
    ...((trust === 'requested' || trust === 'suspect') && { isRequested: true }),
    ...(isUnfinished(provenance) && { isUnchecked: true }),
  };
}

/** An instruction that names only a part of a longer text did not choose the whole text. */
const REQUESTED = { supplier: 'content', isRequested: true } as const;

function factsOfValue(inspection: Inspection, { path, text, role, isKey, isFree, provenance }: Argument): ValueFacts {
  const { trust, pieces } = provenance;
  const isPart =
    role === 'text' && trust === 'flagged' && !pieces.some((each) => each.how === 'whole' && each.trust === trust);
  const flags = { ...(isKey && { isKey: true as const }), ...(isFree && { isFree: true as const }) };
  return { path, value: text, role, ...factsOfProvenance(inspection, provenance), ...(isPart && REQUESTED), ...flags };
}

/** The addresses in texts. An instruction that names one asks for it: the text is still the model's. */
function addressesIn(inspection: Inspection, destinations: Destinations): readonly ValueFacts[] {
  return destinations.in(textsOf(inspection), true).map(({ argument: { path, isFree }, address, chosen }) => {
    const facts = factsOfProvenance(inspection, chosen);
    const instructed = facts.supplier === 'instructed' && REQUESTED;
    const flags = { isInText: true as const, ...(isFree && { isFree: true as const }) };
    return { path, value: address, role: 'url', ...facts, ...instructed, ...flags };
  });
}

/** The script computed an argument's name: a value may hide in one. */
function hasComputedName({ call }: Inspection, script: ScriptOrigin): boolean {
  const given: unknown = parseJson(call.argumentsJson);
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isMap && Object.keys(given).some((name) => !mentions(script, name));
}

/**
 * What a script chose: a value must be vouched for, or occur literally in the script; and where untrusted content chose the recipient,
 * everything that the call sends counts. Undefined if the script chose nothing.
 */
function computedBy(inspection: Inspection, destinations: Destinations): readonly string[] | undefined {
  const { script, context } = inspection.call;
  if (script === undefined || inspection.effect === 'read') return undefined;
  const hasReadOthers = !vouches(script.label.integrity);
  const values = inspection.arguments.filter(
    ({ isFree, text, provenance }) =>
      hasReadOthers && !isFree && provenance.vouchedBy === undefined && !hasLiteral(script, text),
  );
  const addresses = destinations.in(inspection.arguments);
  const computed = addresses.filter(
    ({ address, chosen }) => hasReadOthers && chosen.vouchedBy === undefined && !mentions(script, address),
  );
  // The model that wrote the script can have put what it had read into it in any form, whatever the script itself has read.
  const sendsPrivate = TELLS_OTHERS.has(inspection.effect) && context.confidentiality !== 'public';
  const chosen = sendsPrivate ? addresses.filter((each) => isChosenByOthers(each.chosen)) : [];
  const about = [...values, ...[...computed, ...chosen].map(({ argument }) => argument)].map(({ path }) => path);
  return about.length > 0 || (hasReadOthers && hasComputedName(inspection, script)) ? [...new Set(about)] : undefined;
}

/** Secrets that the user did not type, also those in another encoding. */
function secretsIn({ arguments: all, decode, trace, findSecrets, call, effect }: Inspection): Facts['secrets'] {
  if (findSecrets === undefined) return [];
  return all
    .filter(({ provenance }) => provenance.vouchedBy === undefined)
    .flatMap(({ path, text }) =>
      (decode(text) ?? [text])
        .flatMap((each) => findSecrets(each, { tool: call.tool, effect }))
        .filter((secret) => trace(secret.text, 'secret').vouchedBy === undefined)
        .map(({ kind }) => ({ path, kind })),
    );
}

/** Everything that is known about a call, as plain JSON. */
export function factsOf(inspection: Inspection, destinations: Destinations = new Destinations(inspection)): Facts {
  const { call, tool, similarTool, effect, hasRendered, isAlarmed } = inspection;
  const isEffect = effect !== 'read';
  const disclosure = isEffect ? disclosureOf(inspection, destinations) : undefined;
  const computed = computedBy(inspection, destinations);
  return {
    tool: call.tool,
    isDeclared: tool !== undefined,
    ...(similarTool !== undefined && { similarTool }),
    effect,
    hasRendered,
    hasReadOthers: !vouches(call.context.integrity),
    isAlarmed,
    context: call.context,
    values: inspection.arguments.map((each) => factsOfValue(inspection, each)),
    addresses: isEffect ? addressesIn(inspection, destinations) : [],
    isOversized: call.memberCount > MAX_MEMBERS,
    ...(disclosure !== undefined && { disclosure }),
    ...(computed !== undefined && { computed }),
    secrets: secretsIn(inspection),
    ...(tool?.table !== undefined && { table: tool.table }),
  };
}
