import type { ReactNode } from 'react';
import type { Correction } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { personName } from '../../parts/words/person.ts';
import { causeOf } from '../../parts/words/policy-cell.ts';
import { formatTime } from '../../parts/words/time.ts';
import { WORDS } from './target.ts';

const KINDS = { span: 'mark', passage: 'words without a mark', decision: 'decision' } as const;

function aboutOf({ type, tag, likelihood, outcome, cell, rule }: Correction): string {
  if (type === 'decision') return `${outcome}, by ${causeOf(rule ?? '', cell)}`;
  return type === 'span' ? `${tag}, ${likelihood}` : '';
}

interface CorrectionTableProps {
  readonly corrections: readonly Correction[];
}

export function CorrectionTable({ corrections }: CorrectionTableProps): ReactNode {
  return (
    <Table label="What was said" columns={['Said', 'Of a', 'In', 'Details', 'Who', 'When']} className="correction-rows">
      {corrections.map((correction) => {
        const { type, digest, server, tool, tag, verdict, by, at } = correction;
        return (
          <tr key={`${type} ${server} ${digest} ${tag} ${by}`}>
            <td>
              <Badge tone={verdict === 'attack' ? 'bad' : 'good'}>{WORDS[verdict]}</Badge>
            </td>
            <td>{KINDS[type]}</td>
            <td>
              <Inert text={tool === undefined ? server : `${server}.${tool}`} />
            </td>
            <td>
              <Inert text={aboutOf(correction)} />
            </td>
            <td>
              <Inert text={personName(by)} />
            </td>
            <td className="cell-time">{formatTime(at)}</td>
          </tr>
        );
      })}
    </Table>
  );
}
