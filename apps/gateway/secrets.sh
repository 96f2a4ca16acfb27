#!/bin/sh
# Makes the folder secrets, which compose.yaml mounts file by file. Back up both keys: without them, stored credentials cannot be
# read and signatures cannot be checked.
set -eu
umask 077
mkdir secrets
cd secrets
for name in SALLYPORT_KEY SALLYPORT_SECRETS_KEY POSTGRES_PASSWORD OWNER_PASSWORD APP_PASSWORD; do openssl rand -hex 32 > "$name"; done
echo "postgres://sallyport:$(cat APP_PASSWORD)@postgres/sallyport" > DATABASE_URL
echo "postgres://sallyport_owner:$(cat OWNER_PASSWORD)@postgres/sallyport" > DATABASE_OWNER_URL
redis=$(openssl rand -hex 32)
echo "redis://default:$redis@redis:6379" > REDIS_URL
echo "requirepass $redis" > redis.conf
# The users of the containers read them. On this machine, only you can enter the folder.
chmod 0444 ./*
