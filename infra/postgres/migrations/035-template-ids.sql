-- Lower ones are the default templates'.
ALTER SEQUENCE app.template_id RESTART WITH 101;
