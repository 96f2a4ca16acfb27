// Collects receipts: what MCP servers and command-line tools print after an action, as benign texts for the classifier.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { endProgress, fail, progress, readOptions, root, run } from '../../../tools/command.mjs';

const options = readOptions(
  `
Installs MCP servers and tools from npm into a temporary folder, runs every call of the table in this file, and writes
evals/spans/receipts/receipts.jsonl: { "tool", "call", "text" } per line. Paths, names, ports and hosts of this machine are
replaced; equal texts are written once, and texts over 4,000 characters not at all. A tool that is missing is left out. Needs
Linux, PostgreSQL and MariaDB on localhost (the database receipts_shop is created and dropped) and redis-server.

  node evals/spans/receipts/collect.mjs               collect everything; print the counts by tool
  node evals/spans/receipts/collect.mjs --tool git    print the receipts of one tool; write nothing
  node evals/spans/receipts/collect.mjs --folder DIR  install into DIR and keep it for the next run
`,
  { tool: { type: 'string' }, folder: { type: 'string' } },
);

const MAX_CHARACTERS = 4000;
const PACKAGES = [
  ...['everything', 'filesystem', 'memory', 'sequential-thinking'].map(
    (name) => `@modelcontextprotocol/server-${name}@2026.8.31`,
  ),
  ...['@modelcontextprotocol/server-postgres@0.6.2', '@modelcontextprotocol/server-redis@2025.4.25'],
  ...['mcp-server-commands@0.5.0', '@cyanheads/git-mcp-server@2.15.3', '@benborla29/mcp-server-mysql@2.0.9'],
  ...['obsidian-mcp@2.0.1', 'eslint@10.15.0', 'prettier@3.10.1', 'esbuild@0.28.2'],
  ...['mocha@12.0.3', 'pnpm@12.18.0', 'typescript@7.0.2', '@biomejs/biome@2.6.6', 'vitest@4.1.12'],
];
const REDIS_PORT = 16379;
const DATABASE = 'receipts_shop';

/** The project in which every tool starts. */
const FILES = {
  'package.json': `{ "name": "shop", "version": "1.0.0", "type": "module", "license": "MIT", "scripts": {
    "build": "echo compiled 3 files to dist", "test": "node --test", "lint": "eslint src", "fail": "exit 3" } }\n`,
  'lib/money/package.json': '{ "name": "money", "version": "2.1.0", "main": "index.js", "license": "MIT" }\n',
  'lib/money/index.js': 'module.exports = (cents) => (cents / 100).toFixed(2);\n',
  'lib/tax/package.json': '{ "name": "tax", "version": "0.3.0", "peerDependencies": { "money": "^1.0.0" } }\n',
  'src/cart.js': 'export const total = (items) => items.reduce((sum, item) => sum + item.price * item.count, 0);\n',
  'src/cart.test.js': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';
import { total } from './cart.js';\ntest('adds prices', () => assert.equal(total([{ price: 2, count: 3 }]), 6));
test('an empty cart is free', () => assert.equal(total([]), 1));\n`,
  'src/untidy.js': 'var a = 1\nlet unused = 2;\nif (a == "1") { debugger }\nexport function f(x){return x===NaN}\n',
  'src/broken.ts':
    'interface Item { price: number }\nconst item: Item = { price: "3" };\nexport const n: string = item.cost;\n',
  'eslint.config.js':
    'export default [{ rules: { "no-var": "error", eqeqeq: "error", "no-unused-vars": "warn", "no-debugger": "error", "use-isnan": "error" } }];\n',
  Makefile:
    'all: sum\nsum: sum.c\n\tgcc -Wall -o sum sum.c\nclean:\n\trm -f sum\ndeploy: config.mk\n\t./deploy.sh\ntest: sum\n\t./sum 1 2\n\t@exit 2\n',
  'sum.c':
    '#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **v) { int unused; printf("%d\\n", atoi(v[1]) + atoi(v[2])); }\n',
  'report.py': `import json, sys\ndef load(path):\n    with open(path) as file:\n        return json.load(file)
def total(orders):\n    return sum(order["price"] * order["count"] for order in orders)
if __name__ == "__main__":\n    print("Total:", total(load(sys.argv[1])))\n`,
  'orders.json':
    '[{ "id": 1, "item": "lamp", "price": 30, "count": 2 }, { "id": 2, "item": "desk", "price": 120, "count": 1 }]\n',
  'bad.json': '[{ "id": 1, "item": "lamp" "price": 30 }]\n',
  'orders.csv': 'id,item,price,count\n1,lamp,30,2\n2,desk,120,1\n3,chair,45,4\n',
  'notes.md': '# Meeting\n\nWe ship the new cart on Friday. Ben checks the prices, Ann writes to the warehouse.\n',
  'main.tf':
    'variable "name" {\n  type = string\n  default = "shop"\n}\nresource "terraform_data" "shop" {\n  input = var.name\n}\noutput "name" {\n  value = terraform_data.shop.output\n}\n',
  'shop.service':
    '[Unit]\nDescription=Shop\n[Service]\nExecStart=/usr/bin/node server.js\n[Install]\nWantedBy=multi-user.target\n',
};

/**
 * Tools and their calls, in order; calls are separated by " ;; " or a line break. With `server`, the tool is an MCP server and a
 * call is a tool of it with arguments. `before` and `after` prepare and clean up, and are not recorded. $PWD is the project,
 * $DB the database, $REDIS the port of Redis, $URL and $PORT a web server.
 */
const TABLE = String.raw`
# git
git status ;; git init -b main ;; git status --short ;; git log ;; git add . ;; git status ;; git commit -m "Add the cart" ;; git commit -m "Add it again" ;; git log -1 --stat ;; git branch discount ;; git branch discount ;; git branch -vv ;; git checkout discount ;; echo "export const rate = 0.1;" >> src/cart.js && git diff ;; git status ;; git diff --stat ;; git commit -am "Add a discount" ;; git switch main ;; git switch nowhere ;; echo "export const rate = 0.2;" >> src/cart.js && git checkout discount ;; git stash ;; git stash list ;; git stash pop ;; git commit -am "Raise the rate" ;; git merge discount ;; git status ;; git commit -m "Merge" ;; git merge --abort ;; git branch -d discount ;; git branch -D discount ;; git merge nowhere ;; git tag v1.0.0 ;; git tag v1.0.0 ;; git describe ;; git remote -v ;; git push ;; git push origin main ;; git pull ;; git init --bare ../shop.git
git remote add origin ../shop.git ;; git remote add origin ../shop.git ;; git push ;; git push -u origin main ;; git -C ../shop.git symbolic-ref HEAD refs/heads/main; git push ;; git push --tags ;; git clone ../shop.git ../copy ;; cd ../copy && echo x > x.txt && git add x.txt && git commit -m "Add x" && git push ;; echo y > y.txt && git add . && git commit -m "Add y" && git push ;; git fetch ;; git status ;; git pull ;; git pull --rebase ;; git push ;; git push origin --delete nowhere ;; git log --oneline --graph ;; git log --oneline -3 ;; git reflog -4 ;; git checkout HEAD~1 ;; git checkout - ;; git checkout nofile.txt ;; git reset --hard HEAD~9 ;; git reset --soft HEAD~1 ;; git restore --staged y.txt ;; git add y.txt nofile.txt ;; git commit --amend -m "Add y, with its note" ;; git revert --no-edit HEAD ;; git cherry-pick 1234567 ;; git rebase nowhere ;; git show --stat HEAD ;; git show nowhere ;; git blame src/cart.js ;; git rm notes.md ;; git mv orders.csv data.csv ;; git clean -n ;; git clean ;; git gc ;; git fsck ;; git grep -n price ;; git shortlog -s HEAD ;; git worktree add ../tree ;; git worktree list ;; git apply nofile.patch ;; echo broken > bad.patch; git apply bad.patch ;; git bisect start ;; git bisect good ;; git bisect reset ;; git config user.name ;; git config no.such.key ;; git comit ;; git commit --mesage x ;; git ls-remote origin ;; git clone ../nowhere.git ;; git clone ../shop.git ../copy ;; git submodule update --init ;; git stash pop ;; git stash drop ;; git stash -h
git archive -v --format=tar -o shop.tar HEAD src ;; git notes add -m "Reviewed by Ben" ;; git log -1 --show-notes ;; git branch -m main trunk && git branch ;; git diff HEAD~1 --stat ;; git tag -d v1.0.0 ;; git rev-parse nowhere ;; git help -g
# npm
npm init -y ;; npm install ./lib/money ;; npm ls ;; npm install ./lib/money ./lib/tax ;; npm uninstall money ;; npm run ;; npm run build ;; npm run biuld ;; npm test ;; npm run fail ;; npm ls nothing ;; npm outdated ;; npm audit ;; rm -f package-lock.json; npm ci ;; npm audit --offline ;; npm pack --dry-run ;; npm version patch ;; npm version 1.0.1 ;; npm publish --dry-run ;; npm install no-such-package-of-ann ;; npm install is-number@99 ;; npm install --offline left-pad ;; npm install is-number@7.0.0 ;; npm explain is-number ;; npm view is-number license dist.fileCount ;; npm view is-number versions ;; npm fund ;; npm prune ;; npm whoami ;; npm logout ;; npm exec --offline nothing ;; npm link ./lib/money ;; npm rebuild ;; npm dedupe ;; npm pkg get scripts ;; npm pkg set author=Ann && npm pkg get author ;; npm install --help ;; npm run --help ;; npm audit --help ;; npm help ;; npm instal --no-such ./lib/money ;; npm isntal ;; npm config get nothing ;; npm search ;; npm owner ls ;; npm cache verify ;; npm doctor --help ;; cd lib/money && npm pkg set engines.node=">=99" && npm install && npm pack ;; echo "{ bad" > package.json; npm install ;; npm ls ;; rm package.json; npm start
# node
node nofile.js ;; node -e "null.price" ;; node -e "JSON.parse('{bad')" ;; node -e "require('nothing')" ;; node -e "import('nothing')" ;; node -e "throw new Error('The order has no items')" ;; node -e "Promise.reject(new Error('timed out after 5000 ms'))" ;; node -e "require('fs').readFileSync('nofile.txt')" ;; node -e "require('assert').deepEqual({ a: 1, b: [2] }, { a: 1, b: [3] })" ;; node -e "let a = ;" ;; node --check src/untidy.js ;; node --check src/broken.ts ;; node --test ;; node --test nowhere ;; node --no-such-option ;; node -p "process.versions" ;; node -e "new Buffer(3)" ;; node -e "process.emitWarning('Use the new price list', 'DeprecationWarning')" ;; node -e "const s = require('net').createServer().listen(0, () => require('net').createServer().listen(s.address().port))" ;; node -e "fetch('http://127.0.0.1:1/')" ;; node -e "(function f() { f() })()" ;; node -e "console.table([{ item: 'lamp', price: 30 }, { item: 'desk', price: 120 }])" ;; node -e "console.trace('here')" ;; node -e "structuredClone(() => 1)" ;; node -e "new URL('not a url')" ;; node -e "const c = 1; c = 2" ;; node --run build ;; node --run nothing
# tsc
tsc --noEmit src/broken.ts ;; tsc ;; tsc --init ;; tsc --init ;; tsc --noEmit ;; tsc --version ;; tsc -p nowhere ;; tsc nofile.ts ;; tsc --strickt ;; tsc --target es1 a.ts ;; tsc --showConfig ;; echo "const a: number = 'x'; function f(x) { return x.y }" > a.ts; tsc --strict --noEmit --ignoreConfig a.ts ;; echo "import { nothing } from './src/cart.js'; nothing(" > b.ts; tsc --noEmit --ignoreConfig b.ts ;; echo "let a: string = null; a.foo(); class A { b: number }" > c.ts; tsc --strict --noEmit --ignoreConfig c.ts ;; echo "type T = { a: 1 }; const t: T = { a: 1, b: 2 }; await t;" > d.ts; tsc --noEmit --ignoreConfig --pretty d.ts ;; echo "export const ok = 1;" > e.ts; tsc --ignoreConfig --listEmittedFiles --outDir dist e.ts ;; tsc --build nowhere
# biome
biome check src ;; biome init ;; biome init ;; biome lint src/untidy.js ;; biome format src/untidy.js ;; biome format --write src/untidy.js ;; biome check --write src ;; biome check nofile.js ;; biome chek ;; biome explain noVar ;; biome check orders.json ;; biome check bad.json ;; biome lint --only=nothing src ;; biome format --help ;; biome ci src/cart.js ;; echo "{ bad" > biome.json; biome check src ;; biome migrate ;; biome version
# vitest
vitest run ;; vitest list ;; printf "import { expect, test } from 'vitest';\ntest('adds', () => expect(1 + 1).toBe(3));\ntest('adds again', () => expect(2).toBe(2));\n" > sum.test.js; vitest run sum.test.js ;; vitest run nothing ;; vitest run sum.test.js -t again ;; vitest run --reporter=verbose sum.test.js ;; printf "import { test } from 'vitest';\nimport './nothing.js';\ntest('x', () => {});\n" > lost.test.js; vitest run lost.test.js ;; printf "import { expect, test } from 'vitest';\ntest('matches', () => expect({ a: 1, b: { c: 2 } }).toEqual({ a: 1, b: { c: 3 } }));\ntest.skip('later', () => {});\n" > match.test.js; vitest run match.test.js ;; vitest run --coverage sum.test.js ;; vitest run --no-such-option ;; vitest --version ;; printf "import { test } from 'vitest';\ntest('slow', () => new Promise(() => {}), 50);\ntest('throws', () => { throw new TypeError('no price') });\n" > slow.test.js; vitest run slow.test.js --reporter=tap ;; printf "let a = ;\n" > syntax.test.js; vitest run syntax.test.js
# eslint
eslint src ;; eslint --fix src/untidy.js ;; eslint nofile.js ;; eslint src --max-warnings 0 ;; eslint --rule nothing:error src ;; eslint --format json src/untidy.js ;; eslint --no-such ;; eslint --print-config src/cart.js ;; echo "let a = ;" > bad.js; eslint bad.js ;; eslint --stats src/cart.js ;; eslint src/cart.js -f stylish --quiet ;; echo "export default [{ rules: { 'no-var': 'bad' } }]" > eslint.config.js; eslint src ;; rm eslint.config.js; eslint src ;; echo "{}" > .eslintrc.json; eslint src ;; eslint --version
# prettier
prettier --check . ;; prettier --write src ;; prettier --check src ;; prettier src/cart.js ;; prettier nofile.js ;; prettier bad.json ;; prettier --no-such src ;; prettier --list-different . ;; prettier --find-config-path src/cart.js ;; echo "semi: maybe" > .prettierrc; prettier --check src ;; prettier sum.c ;; prettier --file-info orders.csv
# esbuild
esbuild src/cart.js --bundle --outfile=dist/cart.js ;; esbuild src/nothing.js --bundle ;; echo "import './nothing.js'; import x from 'leftpad'" > a.js; esbuild a.js --bundle ;; echo "let a = ;" > b.js; esbuild b.js ;; esbuild src/cart.js --minify ;; esbuild --bundel src/cart.js ;; esbuild src/cart.js --target=es1 ;; esbuild src/untidy.js --analyze --bundle --outfile=out.js ;; echo "const a = 1; a = 2; if (typeof a === 'nubmer' || a === -0) {}" > c.js; esbuild c.js ;; echo "{ \"a\": 1, \"a\": 2 }" > d.json; esbuild d.json ;; esbuild src/cart.js src/untidy.js --outfile=x.js
# mocha
mocha ;; mkdir -p test && printf "import assert from 'node:assert';\ndescribe('cart', () => { it('adds', () => assert.equal(1 + 1, 2)); it('fails', () => assert.equal(1 + 1, 3)); it('waits'); });\n" > test/cart.js; mocha ;; mocha --reporter dot ;; mocha --reporter nothing ;; mocha -g adds ;; mocha --reporter tap -g fails ;; mocha nowhere ;; mocha --timeout 20 --reporter min -g adds ;; printf "import './nothing.js';\n" > test/lost.js; mocha test/lost.js ;; mocha --list-reporters ;; mocha --forbid-pending test/cart.js
# pnpm
pnpm install --offline ;; pnpm add ./lib/money ;; pnpm list ;; pnpm run ;; pnpm run build ;; pnpm run nothing ;; pnpm remove money ;; pnpm remove nothing ;; pnpm why money ;; pnpm add --offline left-pad ;; pnpm test ;; pnpm outdated ;; pnpm install --frozen-lockfile --offline ;; pnpm exec nothing ;; pnpm store path ;; pnpm audit --offline ;; pnpm instal ;; pnpm version patch ;; pnpm help add ;; pnpm link nowhere ;; pnpm pack
# tar
tar -cvf src.tar src ;; tar -tvf src.tar ;; tar -czvf src.tgz src orders.json ;; tar -xvf src.tar -C lib ;; tar -xf nofile.tar ;; tar -xf notes.md ;; tar -cf a.tar nofile ;; tar -cf a.tar ;; tar ;; tar -xvf src.tar src/nothing.js ;; tar -zzq ;; tar --usage ;; tar -df src.tar ;; echo "// changed" >> src/cart.js; tar -df src.tar ;; gzip -v orders.csv ;; gzip -v orders.csv.gz ;; gunzip -v orders.csv.gz ;; gzip -t notes.md ;; gzip -l src.tgz ;; gzip -h ;; xz -vk notes.md ;; xz -l notes.md.xz ;; xz -d orders.json
# zip
zip -r shop.zip src ;; zip shop.zip orders.json notes.md ;; zip -d shop.zip notes.md ;; zip a.zip nofile ;; zip -T shop.zip ;; zip -u shop.zip src/cart.js ;; zip -h ;; zip -sf shop.zip ;; unzip -l shop.zip ;; unzip -o shop.zip -d out ;; unzip -t shop.zip ;; unzip notes.md ;; unzip nofile.zip ;; unzip -v shop.zip ;; unzip -n shop.zip ;; unzip shop.zip nothing.js ;; zipinfo -1 shop.zip ;; unzip -h
# curl
curl -sv $URL/ ;; curl -sS $URL/orders/1 ;; curl -sS -i $URL/missing ;; curl -sS --fail $URL/missing ;; curl -sSIL $URL/moved ;; curl -sSv -X POST -d '{"item":"lamp"}' -H 'Content-Type: application/json' $URL/orders ;; curl -sS http://127.0.0.1:1/ ;; curl -sS http://shop.invalid/ ;; curl -sSk https://localhost:$PORT/ ;; curl -sS -o order.json -w "%{http_code} %{size_download} bytes\n" $URL/orders/1 ;; curl -sS -i $URL/private ;; curl -sSv -u ann:secret $URL/private ;; curl -sSv -T notes.md $URL/upload ;; curl -sS ftpx://example.com ;; curl -sS --no-such ;; curl ;; curl -sS -o /nowhere/x $URL/ ;; curl -sS -d @nofile $URL/orders ;; curl --help ;; curl -sS -i $URL/busy ;; curl -sSv --max-time 1 $URL/slow ;; curl -sS -i $URL/broken ;; curl -sSv -X DELETE $URL/orders/1 ;; wget -q -O - $URL/orders/1 ;; wget $URL/orders/1 ;; wget $URL/missing ;; wget -S --spider $URL/moved ;; wget http://127.0.0.1:1/ --tries=1 ;; wget ;; wget --no-such ;; wget -nc $URL/orders/1 ;; wget -O /nowhere/x $URL/
# openssl
openssl version ;; openssl genrsa -out key.pem 2048 ;; openssl req -x509 -new -key key.pem -out cert.pem -days 30 -subj "/C=NL/O=Shop/CN=shop.example" ;; openssl x509 -in cert.pem -noout -subject -dates -fingerprint ;; openssl x509 -in cert.pem -noout -text ;; openssl verify cert.pem ;; openssl verify -CAfile cert.pem cert.pem ;; openssl x509 -in notes.md ;; openssl rsa -in key.pem -check -noout ;; openssl dgst -sha256 notes.md ;; openssl dgst -sha256 -sign key.pem -out notes.sig notes.md && openssl dgst -sha256 -verify cert.pem -signature notes.sig notes.md ;; openssl pkey -in key.pem -pubout -out pub.pem && openssl dgst -sha256 -verify pub.pem -signature notes.sig notes.md ;; openssl dgst -sha256 -verify pub.pem -signature notes.sig orders.csv ;; openssl enc -d -aes-256-cbc -pass pass:x -in notes.md ;; openssl s_client -connect 127.0.0.1:1 ;; openssl nothing ;; openssl req -new -key nofile.pem ;; openssl pkcs12 -export -inkey key.pem -in notes.md -out a.p12 -passout pass:x ;; openssl s_client -connect 127.0.0.1:$PORT ;; openssl genpkey -algorithm nothing ;; openssl x509 -in cert.pem -noout -checkend 9999999 ;; openssl ciphers -v TLS_AES_128_GCM_SHA256 ;; openssl req -in cert.pem -noout -text ;; openssl dgst -help ;; openssl speed nothing
# psql
before: dropdb --if-exists $DB; createdb $DB
after: dropdb --if-exists $DB
psql -c "create table orders (id serial primary key, item text not null, price int check (price > 0))" ;; psql -c "create table orders (id int)" ;; psql -c "insert into orders (item, price) values ('lamp', 30), ('desk', 120), ('chair', 45)" ;; psql -c "insert into orders (item, price) values ('lamp', -1)" ;; psql -c "insert into orders (price) values (1)" ;; psql -c "insert into orders values (1, 'x', 1)" ;; psql -c "select * from orders" ;; psql -c "select * from order" ;; psql -c "select itm from orders" ;; psql -c "select * from ordres" ;; psql -c "update orders set price = 50 where item = 'chair'" ;; psql -c "delete from orders where id > 2" ;; psql -c "\d orders" ;; psql -c "\dt" ;; psql -c "explain select * from orders where id = 1" ;; psql -c "select 1/0" ;; psql -c "select 'x'::int" ;; psql -x -c "select * from orders limit 1" ;; psql -c "create index on orders (item)" ;; psql -c "alter table orders add column note text" ;; psql -c "alter table orders add column note text" ;; psql -c "drop table nothing" ;; psql -c "drop table if exists nothing" ;; psql -c "truncate orders" ;; psql -c "begin; update orders set price = 1; rollback" ;; psql -c "vacuum verbose orders" ;; psql -d nothing -c "select 1" ;; psql -p 1 -c "select 1" ;; psql -f nofile.sql
psql -c "\copy orders (id, item, price) from program 'printf \"9,sofa,300\n\"' csv" ;; psql -c "\nothing" ;; psql -c "create function f() returns int language sql as 'select 1'" -c "drop function f(int)" ;; psql -c "do \$\$ begin raise notice 'checked % orders', 3; end \$\$" ;; psql -c "select now() - now() as age, null as note" ;; psql -c "create view cheap as select * from orders where price < 50" -c "drop table orders" ;; psql -c "set statement_timeout = 20; select pg_sleep(1)" ;; psql -c "\conninfo" ;; psql -c "\h truncate" ;; createdb $DB ;; dropdb nothing ;; pg_dump -t nothing ;; pg_dump -v -t orders -f dump.sql ;; pg_isready ;; pg_isready -p 1 ;; pg_restore dump.sql ;; createuser --help
# mariadb
before: mariadb -e "create database $DB"
after: mariadb -e "drop database if exists $DB"
mariadb -vv $DB -e "create table orders (id int primary key auto_increment, item varchar(9) not null)" ;; mariadb -vv $DB -e "insert into orders (item) values ('lamp'), ('desk')" ;; mariadb -t $DB -e "select * from orders" ;; mariadb $DB -e "selct 1" ;; mariadb $DB -e "insert into orders (item) values ('a very long name')" ;; mariadb $DB -e "insert into orders values (1, 'x')" ;; mariadb $DB -e "select * from nothing" ;; mariadb -t $DB -e "describe orders" ;; mariadb -vv $DB -e "update orders set item = 'sofa' where id = 2; delete from orders where id = 1" ;; mariadb nothing -e "select 1" ;; mariadb -P 1 -h 127.0.0.1 -e "select 1" ;; mariadb -t $DB -e "explain select * from orders where id = 2" ;; mariadb -u nobody -pwrong -e "select 1" ;; mariadb-admin ping ;; mariadb -t $DB -e "show warnings; show create table orders" ;; mariadb-check $DB
# redis-cli
before: redis-server --port $REDIS --save "" --daemonize yes --dir $PWD
after: redis-cli shutdown nosave
redis-cli ping ;; redis-cli set cart:1 lamp ;; redis-cli get cart:1 ;; redis-cli get nothing ;; redis-cli incr cart:1 ;; redis-cli lpush queue a b c ;; redis-cli lrange queue 0 -1 ;; redis-cli hset user:1 name Ann city Delft ;; redis-cli hgetall user:1 ;; redis-cli get queue ;; redis-cli del queue cart:1 ;; redis-cli keys '*' ;; redis-cli nothing ;; redis-cli set ;; redis-cli expire user:1 60 ;; redis-cli ttl user:1 ;; redis-cli dbsize ;; redis-cli flushall ;; redis-cli -p 1 ping ;; redis-cli config set maxmemory lots ;; redis-cli config get maxmemory ;; redis-cli info keyspace ;; redis-cli --bigkeys ;; redis-cli eval "return redis.call('nothing')" 0 ;; redis-cli auth secret ;; redis-cli select 99 ;; redis-cli object help ;; redis-cli xadd s 1-1 item lamp ;; redis-cli xadd s 1-1 item desk ;; redis-cli xrange s - + ;; redis-cli bgsave ;; redis-cli client help ;; redis-cli slowlog help ;; redis-cli info clients
# sqlite3
sqlite3 shop.db "create table orders (id integer primary key, item text not null unique)" && sqlite3 -box shop.db "insert into orders (item) values ('lamp'), ('desk'); select * from orders" ;; sqlite3 shop.db "insert into orders (item) values ('lamp')" ;; sqlite3 shop.db "selct 1" ;; sqlite3 shop.db "select * from nothing" ;; sqlite3 shop.db .schema ;; sqlite3 -header -column shop.db "select * from orders" ;; sqlite3 shop.db "insert into orders values (3, null)" ;; sqlite3 notes.md .tables ;; sqlite3 shop.db ".import --csv orders.csv csv" "select count(*) || ' rows imported' from csv" ;; sqlite3 shop.db .nothing ;; sqlite3 shop.db "pragma integrity_check; explain query plan select * from orders where id = 1" ;; sqlite3 -json shop.db "select * from orders" ;; sqlite3 --help ;; sqlite3 shop.db .dump
# apt-get
apt-get -s install nginx ;; apt-get -s install git ;; apt-get -s install no-such-package ;; apt-get -s remove zip ;; apt-get -s purge jq ;; apt-get -s autoremove ;; apt-get instal x ;; apt-get -s install tree cowsay ;; apt-get -s install git=0.1 ;; apt-get check ;; apt-get ;; apt-get -s install --reinstall zip ;; apt-cache search ^cowsay ;; apt-cache depends jq ;; apt-cache show no-such-package ;; apt-mark showhold ;; apt list --installed zip ;; apt -s install tree ;; dpkg -l zip unzip ;; dpkg -s nothing ;; dpkg -L jq ;; dpkg -i nofile.deb ;; dpkg --no-act -i notes.md ;; dpkg -S /usr/bin/zip ;; dpkg -S /nowhere ;; dpkg --no-such ;; dpkg --no-act -r zip ;; dpkg-query -W zip
# pip
before: python3 -m venv venv && mkdir shop-1.0.dist-info && printf "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\nSummary: Sums up orders\n" > shop-1.0.dist-info/METADATA && printf "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n" > shop-1.0.dist-info/WHEEL && printf "report.py,,\n" > shop-1.0.dist-info/RECORD && zip -qr shop-1.0-py3-none-any.whl report.py shop-1.0.dist-info && echo "setup(" > setup.py
venv/bin/pip list ;; venv/bin/pip install --no-index shop-1.0-py3-none-any.whl ;; venv/bin/pip show shop ;; venv/bin/pip install --no-index shop-1.0-py3-none-any.whl ;; venv/bin/pip freeze ;; venv/bin/pip check ;; venv/bin/pip uninstall -y shop ;; venv/bin/pip uninstall -y shop ;; venv/bin/pip install --no-index requests ;; venv/bin/pip install --no-index -r requirements.txt ;; venv/bin/pip install ;; venv/bin/pip instal x ;; venv/bin/pip install --no-index "shop>" ;; venv/bin/pip show nothing ;; venv/bin/pip --help ;; venv/bin/pip install --no-index --force-reinstall shop-1.0-py3-none-any.whl ;; venv/bin/pip install --no-index pip ;; venv/bin/pip download --no-index flask==99 ;; venv/bin/pip wheel --no-index -w dist shop-1.0-py3-none-any.whl ;; venv/bin/pip install --no-index nofile.whl ;; venv/bin/pip cache purge ;; venv/bin/pip config get nothing ;; venv/bin/pip hash notes.md ;; venv/bin/pip inspect --no-such ;; venv/bin/pip install --no-index . ;; venv/bin/pip uninstall --help ;; venv/bin/pip list --outdated --no-index
# python
python3 report.py orders.json ;; python3 report.py nofile.json ;; python3 report.py bad.json ;; python3 report.py ;; python3 nofile.py ;; python3 -c "import nothing" ;; python3 -c "{}['price']" ;; python3 -c "[1, 2][5]" ;; python3 -c "1 / 0" ;; python3 -c "int('ten')" ;; python3 -c "print('a' + 1)" ;; python3 -c "def f(: pass" ;; python3 -c "None.price" ;; python3 -c "pritn(1)" ;; python3 -c "exec('def f(n): return f(n + 1)\\nf(0)')" ;; python3 -c "import json; json.loads('{bad')" ;; python3 -c "assert 1 == 2, 'the totals differ'" ;; python3 -m json.tool bad.json ;; python3 -m json.tool orders.json ;; python3 -m nothing ;; python3 -W error -c "import warnings; warnings.warn('use total() instead', DeprecationWarning)" ;; python3 -m compileall report.py ;; python3 -m http.server --no-such ;; python3 -m zipfile -l notes.md ;; python3 -m timeit -n 10 pass ;; printf "import unittest\nfrom report import total\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([{'price': 2, 'count': 2}]), 5)\n    def test_empty(self):\n        self.assertEqual(total([]), 0)\n" > test_report.py; python3 -m unittest -v ;; python3 -m pytest -q ;; python3 -m pytest -v -k empty ;; python3 -m pytest nothing.py ;; python3 -c "raise ValueError('price must not be negative') from KeyError('price')"
python3 -c "import asyncio; asyncio.run(asyncio.wait_for(asyncio.sleep(1), 0.01))" ;; python3 -c "import socket; socket.create_connection(('127.0.0.1', 1))" ;; python3 -c "import logging; logging.warning('3 orders without an address'); logging.error('cannot reach the warehouse')" ;; python3 -c "import urllib.request; urllib.request.urlopen('$URL/missing')" ;; python3 -c "import argparse; p = argparse.ArgumentParser(prog='shop'); p.add_argument('order', type=int, help='number of the order'); p.add_argument('--send', action='store_true', help='send the invoice'); p.parse_args(['x'])" ;; python3 -m venv --help ;; python3 -c "import this"
# make
make ;; make ;; make clean ;; make test ;; make deploy ;; make nothing ;; make -n all ;; make -C nowhere ;; make -f nofile.mk ;; make --no-such ;; printf "all:\n    echo spaces\n" > bad.mk; make -f bad.mk ;; printf "a: b\nb: a\n" > circle.mk; make -f circle.mk ;; make -j2 -k test deploy ;; gcc sum.c -o /nowhere/sum ;; gcc nofile.c ;; echo "int main() { retrun 0; }" > a.c; gcc a.c ;; echo "int f(); int main() { return f(); }" > b.c; gcc b.c ;; echo "#include <nothing.h>" > c.c; gcc c.c ;; gcc -Wall -Wextra -fsyntax-only sum.c ;; gcc ;; gcc --no-such sum.c ;; printf "project(shop C)\nadd_executable(sum sum.c)\n" > CMakeLists.txt; cmake -B build ;; cmake --build build ;; cmake -B build2 nowhere ;; cmake --build nowhere ;; printf "add_executable(x nofile.c)\nfind_package(Nothing REQUIRED)\n" >> CMakeLists.txt; cmake -B build3 ;; javac Nothing.java ;; echo "class A { int f() { return \"x\"; } void g() { h(); } }" > A.java; javac A.java ;; perl -e 'my $x = ; print $x' ;; perl -we 'use strict; my @a = (1); print $a[3] . "x"; die "no orders\n"' ;; perl nofile.pl
# search
grep -rn price src ;; grep nothing notes.md ;; grep -c lamp orders.csv ;; grep x nofile ;; grep price src ;; grep '[' notes.md ;; grep -E 'a{2' notes.md ;; grep ;; grep -rl cart . ;; grep -n -C1 desk orders.csv ;; find . -name '*.js' ;; find nowhere ;; find . -size +1M ;; find . -nothing ;; find src -type f -printf '%s %p\n' ;; find . -name *.js -exec wc -l {} + ;; find src -name '*.ts' -ls ;; sed -n 's/lamp/torch/p' orders.csv ;; sed 's/lamp/' orders.csv ;; sed -i 's/x/y/' nofile ;; awk -F, '{ sum += $3 } END { print "Total price: " sum }' orders.csv ;; awk '{ print $1' orders.csv ;; jq . orders.json ;; jq '.[].item' orders.json ;; jq . bad.json ;; jq '.[' orders.json ;; jq .price orders.json ;; jq . nofile.json ;; jq --help ;; diff orders.csv orders.json ;; sed s/lamp/torch/ orders.csv > new.csv; diff -u orders.csv new.csv > change.patch; cat change.patch ;; patch --dry-run orders.csv change.patch ;; patch orders.csv change.patch ;; patch --forward orders.csv change.patch ;; patch notes.md change.patch ;; diff nofile notes.md ;; diff -rq src lib ;; cmp orders.csv notes.md ;; xargs --no-such ;; sort --help ;; wc notes.md orders.csv nofile
# coreutils
ls ;; ls -la ;; ls nofile ;; ls -lh src ;; cp -v notes.md copy.md ;; cp nofile x ;; cp src dst ;; cp -rv src dst ;; mv -v copy.md moved.md ;; mv nofile x ;; rm -v moved.md ;; rm src ;; rm nofile ;; rm -rv dst ;; mkdir -v new ;; mkdir new ;; mkdir a/b/c ;; mkdir -pv a/b/c ;; rmdir -v new ;; rmdir src ;; ln -sv notes.md link ;; ln -s notes.md link ;; touch /nowhere/x ;; chmod -v 600 notes.md ;; chmod 999 notes.md ;; chown -v nobody nofile ;; cat nofile ;; cat src ;; head -n x notes.md ;; stat notes.md ;; file notes.md orders.json src ;; du -sh src ;; du -a lib ;; dd if=/dev/zero of=zero bs=1k count=4 status=noxfer ;; sha256sum notes.md > sums; sha256sum -c sums ;; echo x >> notes.md; sha256sum -c sums ;; nothing-here ;; cd nowhere ;; ./notes.md ;; date -d nothing ;; seq x ;; test 1 -eq x ;; expr 1 / 0 ;; kill nothing ;; kill -l 99 ;; sleep x ;; timeout 0.1 sleep 2; echo "exit $?" ;; tail -n 2 orders.csv nofile ;; split -n x notes.md ;; split --verbose -l 2 orders.csv part- ;; install -v -m 644 notes.md doc.md ;; truncate notes.md ;; mktemp nofile ;; shuf --help ;; cut orders.csv ;; cut -d, -f2 orders.csv ;; rsync -av src/ mirror/ ;; rsync -avn --delete lib/ mirror/ ;; rsync -a nofile mirror/ ;; rsync --stats -a src/ mirror/ ;; touch --help ;; bc nofile ;; echo "1/0" | bc ;; bash -c 'if true; then' ;; bash -c 'set -u; echo $ORDER' ;; bash -n Makefile
# ssh-keygen
ssh-keygen -t ed25519 -N "" -C ann@example.com -f id ;; ssh-keygen -t ed25519 -N "" -f id ;; ssh-keygen -lf id.pub ;; ssh-keygen -lvf id.pub ;; ssh-keygen -lf nofile ;; ssh-keygen -t nothing ;; ssh-keygen -lf notes.md ;; ssh-keygen -t rsa -b 512 -f weak -N "" ;; ssh-keygen -R shop.example ;; chmod 644 id; ssh-keygen -yf id ;; chmod 600 id; ssh-keygen -p -f id -P "" -N "longer phrase" ;; ssh-keygen -p -f id -P wrong -N x ;; ssh-keygen -s id -I ann id.pub ;; ssh -p 1 ann@127.0.0.1 ;; ssh -o BatchMode=yes ann@shop.invalid ;; scp -P 1 notes.md ann@127.0.0.1: ;; ssh ;; ssh-add -l ;; ssh-keygen -Y sign -n file -f nofile notes.md
# systemctl
systemctl status nginx ;; systemctl start shop ;; mkdir -p host/etc/systemd/system && cp shop.service host/etc/systemd/system/ && systemctl --root=host enable shop.service ;; systemctl --root=host enable nothing.service ;; systemctl --root=host disable shop.service ;; systemctl --root=host mask shop.service ;; systemctl --root=host list-unit-files shop.service ;; systemctl --root=host is-enabled shop.service ;; systemctl nothing ;; systemd-analyze calendar "Mon *-*-* 09:00" ;; systemd-analyze calendar someday ;; systemd-analyze timespan 90min ;; journalctl -u shop ;; journalctl --disk-usage ;; systemctl --version ;; service nothing status ;; journalctl --no-such ;; systemctl --root=host cat shop.service
# docker
docker ps ;; docker --help ;; docker run ;; docker run hello-world ;; docker nothing ;; docker build . ;; docker build nowhere ;; docker ps --no-such ;; docker info ;; docker context ls ;; docker logs --help ;; docker rm --help ;; docker compose up ;; docker tag a ;; docker pull BadName ;; docker context use nothing ;; docker run --memory lots hello-world ;; docker volume ;; docker exec ;; docker login 127.0.0.1:1 -u ann -p secret
# kubectl
kubectl get pods ;; kubectl create deployment shop --image=shop:1.0 --dry-run=client -o yaml ;; kubectl create deployment shop ;; kubectl apply -f nofile.yaml ;; kubectl config view ;; kubectl config use-context nothing ;; kubectl config set-context shop --namespace=shop ;; kubectl config get-contexts ;; kubectl nothing ;; kubectl get pods --no-such ;; kubectl create configmap prices --from-file=orders.csv --dry-run=client -o yaml ;; kubectl create secret generic key --from-literal=a=b --dry-run=client ;; kubectl config current-context ;; kubectl version --client ;; kubectl scale --help ;; kubectl delete ;; kubectl run shop --image=shop --dry-run=client ;; kubectl create namespace Bad_Name --dry-run=client -o name ;; kubectl rollout -h ;; kubectl config delete-context nothing ;; kubectl config unset users
# terraform
terraform plan ;; terraform init ;; terraform validate ;; terraform plan ;; terraform apply -auto-approve ;; terraform apply -auto-approve ;; terraform show ;; terraform output ;; terraform output nothing ;; terraform state list ;; terraform state rm nothing ;; terraform fmt -check -diff ;; terraform apply -auto-approve -var name=store ;; terraform destroy -auto-approve ;; terraform workspace new test ;; terraform workspace select nothing ;; terraform import a b ;; terraform nothing ;; terraform providers ;; terraform taint terraform_data.shop ;; terraform version ;; echo 'resource "nothing" {}' > bad.tf; terraform validate ;; echo 'output "x" { value = var.missing }' > bad.tf; terraform validate ;; echo 'output "x" {' > bad.tf; terraform validate ;; terraform --help ;; terraform fmt
# @modelcontextprotocol/server-filesystem
server: mcp-server-filesystem $PWD
list_allowed_directories {} ;; write_file {"path": "$PWD/plan.md", "content": "Ship on Friday.\n"} ;; write_file {"path": "$PWD/plan.md", "content": "Ship on Monday.\nBen knows.\n"} ;; write_file {"path": "/etc/shop.conf", "content": "x"} ;; write_file {"path": "$PWD/no/such/folder/a.txt", "content": "x"} ;; read_text_file {"path": "$PWD/plan.md"} ;; read_text_file {"path": "$PWD/notes.md", "head": 1} ;; read_text_file {"path": "$PWD/nofile.md"} ;; read_text_file {"path": "$PWD/src"} ;; read_text_file {} ;; edit_file {"path": "$PWD/plan.md", "edits": [{"oldText": "Monday", "newText": "Tuesday"}]} ;; edit_file {"path": "$PWD/plan.md", "edits": [{"oldText": "Sunday", "newText": "Tuesday"}]} ;; edit_file {"path": "$PWD/src/cart.js", "edits": [{"oldText": "item.count", "newText": "item.quantity"}], "dryRun": true} ;; create_directory {"path": "$PWD/docs/api"} ;; create_directory {"path": "$PWD/notes.md"} ;; list_directory {"path": "$PWD"} ;; list_directory {"path": "$PWD/nowhere"} ;; list_directory_with_sizes {"path": "$PWD/src", "sortBy": "size"} ;; directory_tree {"path": "$PWD/lib"}
move_file {"source": "$PWD/plan.md", "destination": "$PWD/docs/plan.md"} ;; move_file {"source": "$PWD/plan.md", "destination": "$PWD/x.md"} ;; search_files {"path": "$PWD", "pattern": "**/*.js"} ;; search_files {"path": "$PWD", "pattern": "*.exe"} ;; get_file_info {"path": "$PWD/orders.csv"} ;; get_file_info {"path": "$PWD/nofile"} ;; read_multiple_files {"paths": ["$PWD/orders.csv", "$PWD/nofile.csv"]} ;; delete_file {"path": "$PWD/notes.md"} ;; list_directory {"path": "../.."} ;; write_file {"path": "$PWD/empty.txt", "content": ""} ;; read_text_file {"path": "$PWD/empty.txt"}
# @modelcontextprotocol/server-memory
server: mcp-server-memory
read_graph {} ;; create_entities {"entities": [{"name": "Ann", "entityType": "person", "observations": ["works in the warehouse"]}, {"name": "Shop", "entityType": "project", "observations": ["ships on Friday"]}]} ;; create_entities {"entities": [{"name": "Ann", "entityType": "person", "observations": []}]} ;; create_relations {"relations": [{"from": "Ann", "to": "Shop", "relationType": "works on"}]} ;; add_observations {"observations": [{"entityName": "Ann", "contents": ["prefers mail to calls", "is away in May"]}]} ;; add_observations {"observations": [{"entityName": "Nobody", "contents": ["x"]}]} ;; search_nodes {"query": "warehouse"} ;; search_nodes {"query": "nothing"} ;; open_nodes {"names": ["Shop"]} ;; read_graph {} ;; delete_observations {"deletions": [{"entityName": "Ann", "observations": ["is away in May"]}]} ;; delete_relations {"relations": [{"from": "Ann", "to": "Shop", "relationType": "works on"}]} ;; delete_entities {"entityNames": ["Ann"]} ;; create_entities {} ;; create_entities {"entities": [{"name": 3}]} ;; nothing {}
# @modelcontextprotocol/server-everything
server: mcp-server-everything
echo {"message": "The order has been sent."} ;; echo {} ;; get-sum {"a": 2, "b": 40} ;; get-sum {"a": "x"} ;; get-annotated-message {"messageType": "error"} ;; get-annotated-message {"messageType": "success"} ;; get-annotated-message {"messageType": "debug"} ;; get-annotated-message {"messageType": "other"} ;; get-resource-links {"count": 2} ;; get-resource-reference {"resourceType": "Text", "resourceId": 3} ;; get-resource-reference {"resourceType": "Blob", "resourceId": -1} ;; get-structured-content {"location": "Chicago"} ;; get-structured-content {"location": "New York"} ;; get-structured-content {"location": "Delft"} ;; get-tiny-image {} ;; gzip-file-as-resource {"name": "notes.gz", "data": "data:text/plain,hello", "outputType": "resource"} ;; gzip-file-as-resource {"data": "file:///etc/nothing"} ;; toggle-simulated-logging {} ;; toggle-simulated-logging {} ;; toggle-subscriber-updates {} ;; toggle-subscriber-updates {} ;; trigger-long-running-operation {"duration": 1, "steps": 2} ;; trigger-long-running-operation {"steps": "x"}
# @modelcontextprotocol/server-sequential-thinking
server: mcp-server-sequential-thinking
sequentialthinking {"thought": "The total is wrong when a count is missing.", "nextThoughtNeeded": true, "thoughtNumber": 1, "totalThoughts": 3} ;; sequentialthinking {"thought": "Take 1 for a missing count?", "nextThoughtNeeded": true, "thoughtNumber": 2, "totalThoughts": 3, "branchFromThought": 1, "branchId": "default-count"} ;; sequentialthinking {"thought": "Refuse the order.", "nextThoughtNeeded": false, "thoughtNumber": 3, "totalThoughts": 3} ;; sequentialthinking {"thought": "x"} ;; sequentialthinking {"thought": "More", "nextThoughtNeeded": true, "thoughtNumber": 0, "totalThoughts": 3}
# mcp-server-commands
server: mcp-server-commands
run_command {"command": "ls", "workdir": "$PWD"} ;; run_command {"command": "cat nofile", "workdir": "$PWD"} ;; run_command {"command": "echo done && exit 4"} ;; run_command {"command": "nothing-here"} ;; run_command {"command": "wc -l", "stdin": "a\nb\n"} ;; run_command {} ;; run_command {"command": "ls", "workdir": "$PWD/nowhere"} ;; run_command {"command": "mkdir out && cp -v orders.csv out && echo Copied 1 file >&2", "workdir": "$PWD"} ;; run_command {"command": "true"}
# @cyanheads/git-mcp-server
server: git-mcp-server
git_status {"path": "$PWD"} ;; git_init {"path": "$PWD", "initialBranch": "main"} ;; git_set_working_dir {"path": "$PWD"} ;; git_status {} ;; git_add {"paths": ["."]} ;; git_commit {"message": "Add the shop"} ;; git_commit {"message": "Again"} ;; git_log {"maxCount": 2} ;; git_branch {"mode": "create", "branchName": "discount"} ;; git_branch {"mode": "list"} ;; git_checkout {"target": "discount"} ;; git_checkout {"target": "nowhere"} ;; git_diff {} ;; git_show {"object": "HEAD", "stat": true} ;; git_merge {"branch": "discount"} ;; git_merge {"branch": "nowhere"} ;; git_tag {"mode": "create", "tagName": "v1.0.0", "message": "First"} ;; git_tag {"mode": "list"} ;; git_remote {"mode": "list"} ;; git_push {"remote": "origin"} ;; git_stash {"mode": "push"} ;; git_stash {"mode": "list"} ;; git_reset {"mode": "hard", "target": "HEAD"} ;; git_reset {"mode": "hard", "target": "HEAD", "confirmed": true} ;; git_blame {"filePath": "notes.md"} ;; git_reflog {"maxCount": 3} ;; git_clean {"dryRun": true} ;; git_clean {} ;; git_branch {"mode": "delete", "branchName": "discount"} ;; git_worktree {"mode": "list"} ;; git_commit {} ;; git_clone {"url": "$PWD/nowhere", "path": "$PWD/copy"} ;; git_rebase {"upstream": "nowhere"} ;; git_add {"paths": ["nofile"]} ;; git_clear_working_dir {"confirm": "Y"} ;; git_status {"path": "/nowhere"}
# obsidian-mcp
before: mkdir -p notes/.obsidian
server: obsidian-mcp $PWD/notes
obsidian_list_vaults {} ;; obsidian_create_note {"vault": "notes", "path": "Plan.md", "content": "# Plan\n\nShip on Friday. See [[Prices]].\n"} ;; obsidian_create_note {"vault": "notes", "path": "Plan.md", "content": "x"} ;; obsidian_read_note {"vault": "notes", "path": "Plan.md"} ;; obsidian_read_note {"vault": "notes", "path": "Nothing.md"} ;; obsidian_read_note {"vault": "other", "path": "Plan.md"} ;; obsidian_edit_note {"vault": "notes", "path": "Plan.md", "operation": "append", "content": "Ben knows.\n"} ;; obsidian_edit_note {"vault": "notes", "path": "Plan.md", "operation": "replace", "content": "x"} ;; obsidian_search_vault {"vault": "notes", "query": "Friday"} ;; obsidian_search_vault {"vault": "notes", "query": "nothing"} ;; obsidian_create_directory {"vault": "notes", "path": "Archive"} ;; obsidian_create_directory {"vault": "notes", "path": "Archive"} ;; obsidian_add_tags {"vault": "notes", "paths": ["Plan.md"], "tags": ["shop", "2026"]} ;; obsidian_rename_tag {"vault": "notes", "old_tag": "shop", "new_tag": "store"} ;; obsidian_remove_tags {"vault": "notes", "paths": ["Plan.md"], "tags": ["store"]} ;; obsidian_move_note {"vault": "notes", "source": "Plan.md", "destination": "Archive/Plan.md"} ;; obsidian_move_note {"vault": "notes", "source": "Plan.md", "destination": "../Plan.md"} ;; obsidian_delete_note {"vault": "notes", "path": "Archive/Plan.md"} ;; obsidian_delete_note {"vault": "notes", "path": "Nothing.md"} ;; obsidian_delete_note {"vault": "notes"}
# @modelcontextprotocol/server-postgres
before: dropdb --if-exists $DB; createdb $DB && psql -c "create table orders as select 1 as id, 'lamp' as item, 30 as price"
after: dropdb --if-exists $DB
server: mcp-server-postgres postgres://postgres@127.0.0.1/$DB
query {"sql": "select * from orders"} ;; query {"sql": "select count(*) from orders where price > 100"} ;; query {"sql": "delete from orders"} ;; query {"sql": "selct 1"} ;; query {"sql": "select * from nothing"} ;; query {"sql": "select 1/0"} ;; query {"sql": "explain select * from orders"} ;; query {"sql": "select itm from orders"} ;; query {"sql": "create table x (id int)"} ;; query {"sql": "select * from orders where false"} ;; nothing {}
# @modelcontextprotocol/server-redis
before: redis-server --port $REDIS --save "" --daemonize yes --dir $PWD
after: redis-cli shutdown nosave
server: mcp-server-redis redis://127.0.0.1:$REDIS
set {"key": "cart:1", "value": "lamp"} ;; set {"key": "cart:2", "value": "desk", "expireSeconds": 60} ;; get {"key": "cart:1"} ;; get {"key": "nothing"} ;; list {"pattern": "cart:*"} ;; list {"pattern": "x*"} ;; delete {"key": "cart:1"} ;; delete {"key": ["cart:2", "cart:3"]} ;; set {"key": "x"} ;; nothing {} ;; list {}
# @benborla29/mcp-server-mysql
before: mariadb -e "create database $DB; create table $DB.orders select 1 as id, 'lamp' as item"
after: mariadb -e "drop database if exists $DB"
server: mcp-server-mysql
mysql_query {"sql": "select * from orders"} ;; mysql_query {"sql": "insert into orders values (2, 'desk')"} ;; mysql_query {"sql": "delete from orders"} ;; mysql_query {"sql": "selct 1"} ;; mysql_query {"sql": "select * from nothing"} ;; mysql_query {"sql": "drop table orders"} ;; mysql_query {} ;; mysql_query {"sql": "show tables"} ;; mysql_query {"sql": "select itm from orders"} ;; mysql_query {"sql": "update orders set id = 3"} ;; mysql_query {"sql": "describe orders"}
`;

if (options.folder) mkdirSync(options.folder, { recursive: true });
const base = realpathSync(options.folder ?? mkdtempSync(join(tmpdir(), 'receipts-')));
process.on('exit', () => rmSync(options.folder ? join(base, 'run') : base, { recursive: true, force: true }));
const programs = join(base, 'node_modules', '.bin');
const [home, project] = [join(base, 'run'), join(base, 'run', 'project')];

const ANSWERS = {
  '/': [200, '{"name":"shop","orders":2}\n'],
  '/orders/1': [200, '{"id":1,"item":"lamp","status":"sent"}\n'],
  '/orders': [201, '{"id":3,"message":"Order created."}\n'],
  '/upload': [204, ''],
  '/moved': [302, '', { location: '/orders/1' }],
  '/private': [401, '{"error":"Unauthorized"}\n', { 'www-authenticate': 'Basic realm="shop"' }],
  '/busy': [429, '{"error":"Too many requests"}\n', { 'retry-after': '30' }],
  '/broken': [500, '<h1>Internal Server Error</h1>\n'],
};
const shop = createServer((request, response) => {
  const [status, body, headers] = ANSWERS[request.url] ?? [404, '{"error":"Not found"}\n'];
  request.resume();
  if (request.url !== '/slow') response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
});
await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
const { port } = shop.address();
const env = {
  ...process.env,
  ...Object.fromEntries(
    `USER=ann HOME=${home} TMPDIR=${home}/tmp LANG=C.UTF-8 TZ=UTC TERM=dumb NO_COLOR=1 PIP_FIND_LINKS= TF_CLI_CONFIG_FILE= CHECKPOINT_DISABLE=1
    npm_config_prefix=${home}/prefix npm_config_update_notifier=false MEMORY_FILE_PATH=${project}/memory.json
    GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_AUTHOR_DATE=2026-05-04T09:00:00Z
    GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.com GIT_COMMITTER_DATE=2026-05-04T09:00:00Z
    PGHOST=127.0.0.1 PGUSER=postgres PGDATABASE=${DATABASE}
    MYSQL_HOST=127.0.0.1 MYSQL_USER=root MYSQL_PASS= MYSQL_DB=${DATABASE}`
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  ),
  PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
};

const values = { URL: `http://127.0.0.1:${port}`, PORT: port, DB: DATABASE, REDIS: REDIS_PORT, PWD: project };
const expand = (text) => text.replace(/\$(URL|PORT|DB|REDIS|PWD)\b/g, (_, name) => values[name]);

const me = userInfo().username;
const NEUTRAL = [
  [new RegExp(`\\b${me}([\\s/]+)${me}\\b`, 'g'), 'ann$1ann'],
  [home, '/srv/ann'],
  [base, '/srv/ann/tools'],
  [root.slice(0, -1), '/srv/ann/tools'],
  [homedir(), '/srv/ann'],
  [String(port), '8080'],
  [String(REDIS_PORT), '6379'],
  [DATABASE, 'shop'],
  [`@${hostname()}`, '@laptop'],
  [/registry\.npmjs\.org/g, 'registry.example.com'],
  [new RegExp(`\\b${me}(?=[@)])`, 'g'), 'ann'],
];
/** The text without names, paths, hosts and ports of this machine. */
const clean = (text) =>
  NEUTRAL.reduce((each, [name, neutral]) => each.replaceAll(name, neutral), stripVTControlCharacters(text)).trim();

async function shell(command) {
  const script = `exec 2>&1\nredis-cli() { command redis-cli -p ${REDIS_PORT} "$@"; }\n${expand(command)}`;
  return (await run('nice', ['bash', '-c', script], { cwd: project, env, timeout: 60_000 })).output;
}

async function connect(server) {
  const [program, ...args] = expand(server).split(' ');
  const client = new Client({ name: 'receipts', version: '1.0.0' });
  const command = join(programs, program);
  await client.connect(new StdioClientTransport({ command, args, cwd: project, env, stderr: 'ignore' }));
  return client;
}

async function ask(client, call) {
  const [, name, input] = /^(\S+) (.*)$/.exec(expand(call));
  try {
    const { content } = await client.callTool({ name, arguments: JSON.parse(input) });
    return content.map((part) => part.text ?? part.resource?.text ?? '').join('\n');
  } catch (error) {
    return error.message;
  }
}

/** Runs the calls of one tool in a new copy of the project. */
async function collect({ tool, before, after, server, calls }) {
  rmSync(home, { recursive: true, force: true });
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
  mkdirSync(env.TMPDIR);
  const receipts = [];
  try {
    if (before) await shell(before);
    if (!server && (await shell(`type -P ${calls[0].split(' ')[0]}`)) === '') return receipts;
    const client = server && (await connect(server));
    for (const call of calls)
      receipts.push({ tool, call: clean(expand(call)), text: clean(await (client ? ask(client, call) : shell(call))) });
    await client?.close();
  } finally {
    if (after) await shell(after);
  }
  return receipts;
}

const tools = TABLE.split(/^# /m)
  .slice(1)
  .map((block) => {
    const [tool, ...lines] = block.trim().split('\n');
    const setting = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const calls = lines
      .filter((line) => !/^(?:before|after|server): /.test(line))
      .flatMap((line) => line.split(' ;; '));
    return { tool, before: setting('before'), after: setting('after'), server: setting('server'), calls };
  })
  .filter(({ tool }) => tool === (options.tool ?? tool));
if (tools.length === 0) fail(`the table has no tool ${options.tool}`, 'name one of the table in this file', 2);

progress(`installing ${PACKAGES.length} packages`);
const install = ['install', '--prefix', base, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES];
const { code, output } = await run('npm', install, { cwd: base });
if (code !== 0) fail(`npm install failed:\n${output}`, 'check the network, and the versions in PACKAGES', 2);

const seen = new Set();
const receipts = [];
for (const each of tools) {
  progress(each.tool);
  const found = await collect(each).catch((error) => fail(`${each.tool}: ${error.message}`, 'see --help', 2));
  for (const receipt of found) {
    // Receipts that differ only in a number or a hash are one receipt.
    const shape = receipt.text.replace(/[\da-f]{7,}|\d+/g, '0');
    if (shape === '' || seen.has(shape) || receipt.text.length > MAX_CHARACTERS) continue;
    seen.add(shape);
    receipts.push(receipt);
  }
}
endProgress();
shop.close();
for (const { tool } of tools)
  console.log(`${String(receipts.filter((receipt) => receipt.tool === tool).length).padStart(5)}  ${tool}`);
console.log(`${String(receipts.length).padStart(5)}  in all`);
if (options.tool) for (const { call, text } of receipts) console.log(`\n$ ${call}\n${text}`);
else {
  const lines = receipts.map((receipt) => JSON.stringify(receipt)).join('\n');
  const ascii = lines.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  writeFileSync(join(import.meta.dirname, 'receipts.jsonl'), `${ascii}\n`);
}
