-- Fills a PostgreSQL database, whose tables a server has made, with ended upgrades of 100,000 devices from 2020 on, with
-- five commands each, whose bodies have 8 KB. docs/benchmarks.md says how to use it.
--
--   psql … -v from=0 -v to=2000000 -f archive-benchmark.sql     ten million commands

\set ON_ERROR_STOP 1
-- Without checking each reference.
SET session_replication_role = replica;

INSERT INTO tenant (name, title, created_at) VALUES ('acme', '', now()) ON CONFLICT DO NOTHING;

INSERT INTO host_epoch (tenant, host, epoch)
SELECT 'acme', 'dev-' || lpad(n::text, 6, '0') || '-left', 1 FROM generate_series(0, 99999) n
ON CONFLICT DO NOTHING;

INSERT INTO upgrade (tenant, id, device, package, version, state, started_by, started_at, plan, run_id, outcome,
  host_reports, ended_at)
SELECT 'acme', 'os-' || (n / 100000) || '.dev-' || lpad((n % 100000)::text, 6, '0') || '.1',
  'dev-' || lpad((n % 100000)::text, 6, '0'), 'os', '7.' || (n / 100000), 'ended', 'ann',
  timestamptz '2020-01-01' + n * interval '1 minute', '{"hosts":["left"]}', md5(n::text), 'upgraded',
  '[{"host":"left","outcome":"upgraded"}]',
  timestamptz '2020-01-01' + n * interval '1 minute' + interval '10 minutes'
FROM generate_series(:from::bigint, :to::bigint - 1) n;

INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, body, signature, workflow_id, activity_id,
  outcome, stream_sequence, publish_count, created_at, published_at, accepted_at, closed_at)
SELECT 'acme', md5(n || '-' || s)::uuid::text,
  'os-' || (n / 100000) || '.dev-' || lpad((n % 100000)::text, 6, '0') || '.1',
  'dev-' || lpad((n % 100000)::text, 6, '0') || '-left',
  (array['prepare', 'upgrade', 'reboot', 'commit', 'inspect'])[s], 1, 1577836800000 + n * 60000 + s,
  repeat(md5(n || '/' || s) || md5(n::text)
    || '{"package":"os","kind":"bundle","files":[{"path":"bin/os","sha256":"","mode":"0755"}],"arguments":{"timeout":"600"}}',
    44),
  md5('signature' || n || s), 'upgrade/acme/dev-' || (n % 100000), s::text,
  '{"result":"ok","code":"","text":"","versions":{"os":"7.1"},"boot_id":"' || md5('boot' || n) || '"}', n * 5 + s, 1,
  at, at, at, at + interval '10 seconds'
FROM generate_series(:from::bigint, :to::bigint - 1) n, generate_series(1, 5) s,
  LATERAL (SELECT timestamptz '2020-01-01' + n * interval '1 minute' + s * interval '1 minute' AS at) step;
