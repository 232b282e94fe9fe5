window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "/swagger/uplift.yml",
    dom_id: "#page",
    deepLinking: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
});
