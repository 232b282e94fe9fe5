-- Which list of revoked keys NATS was told last. One row: whoever tells NATS holds it meanwhile, so
-- that of two servers none brings an older list after a newer one. `issued`: the second that the
-- list bears, which only rises.
CREATE TABLE revocation_list (
  id INTEGER NOT NULL,
  issued BIGINT NOT NULL,
  digest VARCHAR NOT NULL,
  CONSTRAINT revocation_list_key PRIMARY KEY (id)
);
INSERT INTO revocation_list (id, issued, digest) VALUES (1, 0, '');
