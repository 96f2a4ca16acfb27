// HTML's named character references whose folded value consists of characters that a marker can contain.
// Made by `npx tsx packages/core/generate/tables.ts`; change it there. Origin: WHATWG's named character references by way of
// the `entities` dev dependency, each value folded with the table in confusables.ts.

// HTML distinguishes names by case and this table does not. If two names are equal in lower case, the value with <, else
// with [, else with & is used. That reports too many markers on purpose, since readers of the text differ on case too.
const ROWS: readonly (readonly [value: string, names: string])[] = [
  ['', 'af applyfunction dotdot downbreve ic invisiblecomma invisibletimes it lrm negativemediumspace'],
  ['', 'negativethickspace negativethinspace negativeverythinspace nobreak rlm shy tdot tripledot zerowidthspace'],
  ['', 'zwj zwnj'],
  ['\n', 'newline'],
  [' ', 'acute breve cedil cedilla dblac diacriticalacute diacriticaldot diacriticaldoubleacute diacriticaltilde'],
  [' ', 'die dot doubledot emsp emsp13 emsp14 ensp hairsp macr mediumspace nbsp nonbreakingspace numsp ogon oline'],
  [' ', 'overbar puncsp ring strns tab thinsp thinspace tilde uml verythinspace'],
  ['  ', 'thickspace'],
  ['#', 'epar num sharp'],
  ['&', 'amp'],
  ['-', 'dash horbar hybull hyphen mdash minus ndash'],
  ['.', 'period'],
  ['..', 'nldr'],
  ['...', 'hellip mldr'],
  ['/', 'caret frasl sol'],
  ['1', 'sup1'],
  ['1/2', 'frac12 half'],
  ['1/3', 'frac13'],
  ['1/4', 'frac14'],
  ['1/5', 'frac15'],
  ['1/6', 'frac16'],
  ['1/8', 'frac18'],
  ['2', 'sup2'],
  ['2/3', 'frac23'],
  ['2/5', 'frac25'],
  ['3', 'sup3 zcy'],
  ['3/4', 'frac34'],
  ['3/5', 'frac35'],
  ['3/8', 'frac38'],
  ['4/5', 'frac45'],
  ['5/6', 'frac56'],
  ['5/8', 'frac58'],
  ['6', 'bcy'],
  ['7/8', 'frac78'],
  [':', 'colon ratio'],
  [';', 'bsemi semi'],
  ['<', 'lang langd langle laquo leftanglebracket ll lsaquo lt nestedlessless nless nlt nltv notless notlessless'],
  ['<', 'notprecedes npr nprec nvlt pr prec precedes'],
  ['>', 'gg gt nestedgreatergreater ngt ngtr ngtv notgreater notgreatergreater notsucceeds nsc nsucc nvgt rang'],
  ['>', 'rangd rangle raquo rightanglebracket rsaquo sc succ succeeds'],
  ['[', 'lbbrk lbrack lbrke lbrksld lbrkslu leftdoublebracket loang lobrk lsqb'],
  ['\\', 'backslash bsol setminus setmn smallsetminus ssetmn'],
  [']', 'rbbrk rbrack rbrke rbrksld rbrkslu rightdoublebracket roang robrk rsqb'],
  ['_', 'lowbar underbar'],
  ['a', 'aacute abreve acirc acy afr agrave alpha amacr angst aogon aopf aring ascr atilde auml ordf'],
  ['b', 'bernou bernoullis beta bfr bopf bscr softcy vcy'],
  ['c', 'cacute cayleys ccaron ccedil ccirc cdot cfr complexes copf cscr scy'],
  ['c/o', 'incare'],
  ['d', 'capitaldifferentiald dcaron dd dfr differentiald dopf dscr dstrok eth'],
  ['e', 'eacute ecaron ecirc edot ee efr egrave emacr eogon eopf epsi epsilon epsiv escr euml expectation'],
  ['e', 'exponentiale iecy iocy jukcy straightepsilon varepsilon'],
  ['f', 'digamma ffr fnof fopf fouriertrf fscr gammad'],
  ['ff', 'fflig'],
  ['ffi', 'ffilig'],
  ['ffl', 'ffllig'],
  ['fi', 'filig'],
  ['fj', 'fjlig'],
  ['fl', 'fllig'],
  ['g', 'gacute gbreve gcedil gcirc gdot gfr gopf gscr'],
  ['h', 'eta hamilt hbar hcirc hfr hilbertspace hopf hscr hslash hstrok ncy planck planckh plankv poincareplane'],
  ['h', 'quaternions tshcy'],
  ['i', 'iacute icirc idot ifr igrave ii im imacr image imaginaryi imagline imagpart imath inodot iogon iopf iota'],
  ['i', 'iscr itilde iukcy iuml yicy'],
  ['ij', 'ijlig'],
  ['j', 'jcirc jfr jmath jopf jscr jsercy'],
  ['k', 'kappa kappav kcedil kcy kfr kjcy kopf kscr varkappa'],
  ['l', 'ell lacute lagran laplacetrf lcaron lcedil lfr lopf lscr lstrok'],
  ['m', 'mcy mellintrf mfr micro mopf mscr mu phmmat'],
  ['n', 'nacute naturals ncaron ncedil nfr nopf nscr ntilde'],
  ['no', 'numero'],
  ['o', 'oacute ocirc ocy odblac ofr ograve omacr omicron oopf order orderof ordm oscr oslash otilde ouml sigma'],
  ['o', 'sigmaf sigmav theta thetasym thetav varsigma vartheta'],
  ['p', 'pfr popf primes pscr rcy rho rhov varrho'],
  ['q', 'qfr qopf qscr rationals'],
  ['r', 'gcy gjcy racute rcaron rcedil re real realine realpart reals rfr ropf rscr'],
  ['s', 'circleds dscy os sacute scaron scedil scirc sfr sopf sscr'],
  ['ss', 'szlig'],
  ['t', 'downtee tau tcaron tcedil tcy tfr top topf tscr tstrok'],
  ['tm', 'trade'],
  ['u', 'bigcup cup cups uacute ubreve ucirc udblac ufr ugrave umacr union uogon uopf upsi upsih upsilon uring uscr'],
  ['u', 'utilde uuml xcup'],
  ['v', 'bigvee nu or vee vfr vopf vscr xvee'],
  ['w', 'ohm omega wcirc wfr wopf wscr'],
  ['x', 'chi cross khcy times xfr xopf xscr'],
  ['y', 'gamma ubrcy ucy yacute ycirc yfr yopf yscr yuml'],
  ['z', 'imped integers zacute zcaron zdot zeetrf zeta zfr zopf zscr'],
  ['|', 'boxv brvbar doubleverticalbar mid nmid notdoubleverticalbar notverticalbar npar nparallel nshortmid'],
  ['|', 'nshortparallel nsmid nspar par parallel shortmid shortparallel smid spar verbar vert verticalbar'],
  ['|', 'verticalline verticalseparator'],
];

const LEGACY_ROWS: readonly string[] = [
  'aacute acirc acute agrave amp aring atilde auml brvbar ccedil cedil eacute ecirc egrave eth euml frac12 frac14',
  'frac34 gt iacute icirc igrave iuml laquo lt macr micro nbsp ntilde oacute ocirc ograve ordf ordm oslash otilde',
  'ouml raquo shy sup1 sup2 sup3 szlig times uacute ucirc ugrave uml uuml yacute yuml',
];

/**
 * The folded values of HTML's named character references, by lower-case name without the ampersand and the semicolon.
 *
 * @example
 * ```ts
 * NAMED_ENTITIES.get('lt'); // '<'
 * ```
 */
export const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([value, names]) => names.split(' ').map((name): [string, string] => [name, value])),
);

/** The names that HTML decodes without a semicolon too. */
export const LEGACY_ENTITIES: ReadonlySet<string> = new Set(LEGACY_ROWS.flatMap((row) => row.split(' ')));
