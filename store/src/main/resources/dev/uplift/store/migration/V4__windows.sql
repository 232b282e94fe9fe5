-- Maintenance windows as JSON that others read and write; empty: none.
ALTER TABLE device ADD COLUMN windows VARCHAR DEFAULT '' NOT NULL;

-- The windows of all devices with a value of a label.
CREATE TABLE label_window (
  tenant VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  content VARCHAR NOT NULL,
  windows VARCHAR NOT NULL,
  version BIGINT NOT NULL,
  changed_by VARCHAR NOT NULL,
  changed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT label_window_key PRIMARY KEY (tenant, label, content),
  CONSTRAINT label_window_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
