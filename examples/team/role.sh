#!/bin/sh
# Runs once, when PostgreSQL makes its data: a role for cairn that owns one database and nothing else.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$CAIRN_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role cairn login password :'password';
create database cairn owner cairn;
revoke all on database cairn from public;
\connect cairn
create extension if not exists vector;
SQL
