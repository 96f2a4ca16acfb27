/** A kind of secret: what people call it, and the form that its issuer documents. */
export interface SecretKind {
  /** After "a" or "an" in a sentence, such as "a GitHub token". */
  readonly name: string;
  /** Texts of which every secret of this kind contains one. A text without any marker is not read further. */
  readonly markers: readonly string[];
  /** A group, if there is one, is the secret; what is around it only tells it apart. */
  readonly pattern: RegExp;
  /** The same form, and no more than it needs: what is after the secret can be anything. */
  readonly shortest: RegExp;
}

/** Repetitions that end as soon as they may. */
function shortest(source: string): string {
  return source.replace(/\{\d+,\d*\}/g, '$&?');
}

function kind(name: string, markers: string, pattern: RegExp): SecretKind {
  const { source, flags } = pattern;
  return {
    name,
    markers: markers.split(' '),
    pattern: new RegExp(source, `${flags}dg`),
    shortest: new RegExp(shortest(source), `${flags}y`),
  };
}

/** The text between the lines of a key: also escaped, indented, numbered, and marked as in a diff or a quote. */
function gap(file: string): string {
  const space = String.raw`(?:\s|\\+[nrt]){0,20}`;
  const number = String.raw`\d{1,6}(?:[\t:|\u2192-]|\\+t)`;
  return `(?:${space}(?:(?:${file}[:-])?${number}|${file}[:-]|[-+>#]|//)){0,4}${space}`;
}

/** The file that a search names before the first line, and so before each. Another name may be an instruction. */
const FILE = String.raw`(?<=(?:^|[\s"'\x60]|\\[nrt])(?<file>[\w./@-]{1,200}?)[:-](?:\d{1,6}[:-])?-----BEGIN|)`;
const GAP = gap(String.raw`\k<file>`);
const ANY_GAP = gap(String.raw`[\w./@-]{1,200}`);
const PLAIN_GAP = gap('');

const TYPE = '[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const KEY_HEADER = String.raw`(?:Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,20},[A-Fa-f0-9]{1,64}|Version: \w{1,12} v?[\d.]{1,12})`;
const COMMENT = String.raw`(?:Comment|Charset|Hash): [^\r\n\\]{1,100}`;

const CASED_CHARACTER = '(?=[a-z0-9+/]{0,199}[A-Z])(?=[A-Z0-9+/]{0,199}[a-z])[A-Za-z0-9+/]';
/** A line of base64 has all kinds of characters. One that can be read, such as a path, may be an instruction, so it does not count. */
const RANDOM = String.raw`(?=[A-Za-z+/]{0,199}\d)${CASED_CHARACTER}`;
/** Nothing else is in the line. */
const LINE_END = String.raw`={0,2}(?![^\s"'\x60,\\]|[ \t]{1,9}[^\s-])`;
/** Few lines have no digit, so one after a line with all kinds may. */
const CASED = `${CASED_CHARACTER}{16,200}${LINE_END}`;

/** The lines of a key, and its end if it is there. The first line alone is long, or another follows. */
function keyLines(between: string): string {
  const short = `${RANDOM}{24,39}${LINE_END}(?=${between}${CASED})|${CASED_CHARACTER}{24,39}${LINE_END}(?=${between}${RANDOM}{24,200})`;
  const first = `(?:${RANDOM}{40,200}={0,2}|${short})`;
  const next = `(?:${RANDOM}{40,200}={0,2}|${RANDOM}{16,39}${LINE_END})`;
  const cased = `(?:${between}${CASED})?`;
  const last = `(?:${between}(?:[A-Za-z0-9+/]{1,15}|${CASED_CHARACTER}{16,200})={0,2})?(?:${between}=[A-Za-z0-9+/]{4})?`;
  return `${first}${cased}(?:${between}${next}${cased}){0,400}(?:${last}${between}-----END ${TYPE})?`;
}

const PRIVATE_KEY: SecretKind = {
  name: 'private key',
  markers: ['-----B'],
  pattern: new RegExp(`(-----BEGIN${FILE} ${TYPE}(?:${GAP}${KEY_HEADER}){0,3}${GAP}${keyLines(GAP)})`, 'dg'),
  // The name of a file before a line does not belong to the secret, whatever it says.
  shortest: new RegExp(`-----BEGIN ${TYPE}(?:${ANY_GAP}${KEY_HEADER}){0,3}${ANY_GAP}(${CASED_CHARACTER}{24,40})`, 'y'),
};

/**
 * The prefixes, alphabets and lengths are those that the services document. Which of the rules of gitleaks they cover is counted in
 * test/secret-coverage.test.ts.
 */
export const SECRET_KINDS: readonly SecretKind[] = [
  kind('AWS access key', 'AKI ASI ABI ACC', /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])/),
  kind(
    'AWS secret key',
    'ecret_ etAccessK ECRET_',
    /secret_?access_?key["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
  ),
  kind('Azure storage key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{86}==)/),
  kind('Google API key', 'AIz', /AIza[\w-]{35}(?![\w-])/),
  kind('Google client secret', 'GOCSPX-', /GOCSPX-[\w-]{28}/),
  kind('Google access token', 'ya29.', /ya29\.[\w-]{60,}/),
  kind('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9]{36,}/),
  kind('GitHub token', 'github_pat_', /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59,}/),
  kind(
    'GitLab token',
    'glpat- glrt- gldt- glptt- glcbt- glffct- glft- glimt- glagent- gloas- glsoat-',
    /gl(?:pat|rt|dt|ptt|cbt|ffct|ft|imt|agent|oas|soat)-[\w-]{20,}/,
  ),
  kind('GitLab session', '_gitlab_session=', /_gitlab_session=([a-z0-9]{32})/),
  kind('Slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxo-', /xox[abeoprs]-\d[\w-]{20,}/),
  kind('Slack token', 'xapp-', /xapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-f0-9]{32,}/),
  kind(
    'Slack webhook',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{12,40}\/(\w{20,})/,
  ),
  kind('Discord webhook', '/api/webhooks/', /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([\w-]{60,})/),
  kind('Telegram bot token', ':AA', /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/),
  kind('OpenAI key', 'sk-proj- sk-svcacct- sk-admin-', /sk-(?:proj|svcacct|admin)-[\w-]{40,}/),
  kind('OpenAI key', 'T3BlbkFJ', /sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}/),
  kind('Anthropic key', 'sk-ant-', /sk-ant-[a-z]{3,6}\d\d-[\w-]{80,}/),
  kind('OpenRouter key', 'sk-or-v1-', /sk-or-v1-[a-f0-9]{64}/),
  kind('Hugging Face token', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z]{34}(?![A-Za-z0-9])/),
  kind('Groq key', 'gsk_', /gsk_[A-Za-z0-9]{52}/),
  kind('Replicate token', 'r8_', /r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/),
  kind('Stripe key', 'sk_live_ rk_live_ sk_prod_ rk_prod_', /[sr]k_(?:live|prod)_[A-Za-z0-9]{24,}/),
  kind('Stripe webhook secret', 'whsec_', /whsec_[A-Za-z0-9+/]{32,}/),
  kind('Shopify token', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/),
  kind('npm token', 'npm_', /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/),
  kind('PyPI token', 'pypi-', /pypi-AgE[\w-]{80,}/),
  kind('Docker token', 'dckr_pat_', /dckr_pat_[\w-]{27,}/),
  kind('SendGrid key', 'SG.', /SG\.[\w-]{22}\.[\w-]{43}/),
  kind('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[a-f0-9]{64}/),
  kind('Vault token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{24,}/),
  kind('Terraform token', '.atlasv1.', /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/),
  kind('Supabase token', 'sbp_', /sbp_[a-f0-9]{40}/),
  kind('Linear key', 'lin_api_', /lin_api_[A-Za-z0-9]{40}/),
  kind('Notion token', 'ntn_', /ntn_[A-Za-z0-9]{40,}/),
  kind('Figma token', 'figd_', /figd_[\w-]{40,}/),
  kind('Grafana token', 'glsa_', /glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}/),
  kind('Grafana token', 'glc_', /glc_[A-Za-z0-9+/]{32,}={0,3}/),
  kind('Grafana key', 'eyJrI', /eyJrIjoi[A-Za-z0-9]{70,}={0,3}/),
  kind('Postman key', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/),
  kind('Atlassian token', 'ATATT', /ATATT3[\w=-]{100,}/),
  kind('1Password secret key', 'A3-', /(?<![\w-])A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}(?![\w-])/),
  kind('1Password token', 'ops_', /ops_eyJ[A-Za-z0-9+/]{250,}={0,3}/),
  kind('Adobe client secret', 'p8e-', /p8e-[A-Za-z0-9]{32}(?![\w-])/),
  kind('Alibaba access key', 'LTA', /(?<!\w)LTAI[A-Za-z0-9]{20}(?!\w)/),
  kind('Artifactory key', 'AKC', /(?<!\w)AKCp[A-Za-z0-9]{69}(?!\w)/),
  kind('Artifactory token', 'cmV', /(?<!\w)cmVmd[A-Za-z0-9]{59}(?!\w)/),
  kind('Azure client secret', 'Q~', /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/),
  kind('Brevo key', 'xkeysib-', /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/),
  kind('Clojars token', 'CLOJARS_', /CLOJARS_[a-z0-9]{60}/),
  kind('Cloudflare origin key', 'v1.0-', /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/),
  kind(
    'Doppler token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/,
  ),
  kind('Duffel token', 'duffel_live_ duffel_test_', /duffel_(?:live|test)_[\w=-]{43}/),
  kind('Dynatrace token', 'dt0c01.', /dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  kind('EasyPost key', 'EZAK EZTK', /(?<!\w)EZ[AT]K[A-Za-z0-9]{54}(?!\w)/),
  kind('Facebook page token', 'EAAM EAAC', /(?<!\w)EAA[MC][A-Za-z0-9]{100,}/),
  kind('Flutterwave key', 'FLWSECK', /FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?/),
  kind('Fly.io token', 'fo1_ fm1a_ fm1r_ fm2_', /fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3}/),
  kind('Frame.io token', 'fio-u-', /fio-u-[\w=-]{64}/),
  kind('Harness key', 'pat. sat.', /(?<!\w)[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/),
  kind('Heroku key', 'HRKU-', /HRKU-AA[\w-]{58}/),
  kind('Infracost key', 'ico-', /(?<!\w)ico-[A-Za-z0-9]{32}(?!\w)/),
  kind('42 client secret', 's-s4t2ud- s-s4t2af-', /s-s4t2(?:ud|af)-[a-f0-9]{64}/),
  kind(
    'Teams webhook',
    '.webhook.office.com/',
    /\.webhook\.office\.com\/webhookb2\/[\w-]{36}@[\w-]{36}\/IncomingWebhook\/(\w{32}\/[\w-]{36})/,
  ),
  kind('New Relic key', 'NRAK- NRII-', /NRAK-[A-Z0-9]{27}(?!\w)|NRII-[\w-]{32}(?!\w)/),
  kind('Octopus Deploy key', 'API-', /(?<![\w-])API-[A-Z0-9]{26}(?![\w-])/),
  kind('OpenShift token', 'sha256~', /sha256~[\w-]{43}(?![\w-])/),
  kind('Perplexity key', 'pplx-', /pplx-[A-Za-z0-9]{48}(?!\w)/),
  kind('PlanetScale token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', /pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/),
  kind('Prefect key', 'pnu_ pnb_', /pn[ub]_[A-Za-z0-9]{36}(?!\w)/),
  kind('Pulumi token', 'pul-', /(?<!\w)pul-[a-f0-9]{40}(?!\w)/),
  kind('ReadMe key', 'rdme_', /rdme_[a-z0-9]{70}/),
  kind('RubyGems key', 'rubygems_', /rubygems_[a-f0-9]{48}/),
  kind('Scalingo token', 'tk-us-', /tk-us-[\w-]{48}/),
  kind('Sentry token', 'sntrys_ sntryu_', /sntrys_eyJ[\w+/=-]{60,}|sntryu_[a-f0-9]{64}/),
  kind('SettleMint token', 'sm_aat_ sm_pat_ sm_sat_', /sm_[aps]at_[A-Za-z0-9]{16}(?!\w)/),
  kind('Shippo token', 'shippo_live_ shippo_test_', /shippo_(?:live|test)_[a-fA-F0-9]{40}/),
  kind('Sourcegraph token', 'sgp_', /sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}/),
  kind('Square token', 'sq0atp- sq0csp-', /sq0(?:atp|csp)-[\w-]{22,}/),
  kind('Twilio key', 'SK', /(?<!\w)SK[a-f0-9]{32}(?!\w)/),
  kind('Typeform token', 'tfp_', /tfp_[\w=.-]{59}/),
  kind('age key', 'AGE-SECRET-', /AGE-SECRET-KEY-1([A-Z0-9]{58})/),
  PRIVATE_KEY,
  // A comment may be an instruction, so it does not belong to the secret.
  kind(
    'private key',
    'VATE KEY BLOCK',
    new RegExp(
      `PRIVATE KEY BLOCK-----(?=[^-]{0,400}Comment: )(?:${PLAIN_GAP}(?:${KEY_HEADER}|${COMMENT})){1,5}${PLAIN_GAP}(${keyLines(PLAIN_GAP)})`,
    ),
  ),
  // Passwords for this machine alone are everyday work. One that has a host name in it is left: a later call may go there.
  kind(
    'password',
    '@',
    /(?<=[a-z][a-z0-9+.-]):\/\/[^\s:/?#@"'<>\\]{0,100}:(?![^\s/?#"'<>@\\]{0,200}(?:[a-z0-9](?:\.|%2e)[a-z]{2,24}(?![a-z0-9])|\d(?:\.\d{1,3}){3}))([^\s/?#"'<>@\\]{6,200})@(?!localhost\b|127\.|0\.0\.0\.0|\[::1\])[\w[]/i,
  ),
];
