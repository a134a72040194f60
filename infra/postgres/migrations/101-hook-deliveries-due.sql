-- The next message of a hook, found without reading all that wait: the first of those that hold up the ones after them, or of those that
-- have had their three tries (HOLDS_UP in command-api/hooks/send.ts) and are due.
CREATE INDEX hook_delivery_holds_up ON app.hook_delivery (hook_id, id) WHERE status = 'waiting' AND tries < 3;
CREATE INDEX hook_delivery_passed ON app.hook_delivery (hook_id, due_at) WHERE status = 'waiting' AND tries >= 3;
