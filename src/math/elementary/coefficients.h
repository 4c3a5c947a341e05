// Made by tools/elementary_coefficients.py, which says how: polynomials with their relative errors, tables
// and constants of the elementary functions.
#ifndef SINEW_MATH_ELEMENTARY_COEFFICIENTS_H
#define SINEW_MATH_ELEMENTARY_COEFFICIENTS_H

// clang-format off
// pi/2 in parts: k times either of the first two is exact for k < 2^16
#define SN_PIO2_A 0x1.921fb54440000p+0
#define SN_PIO2_B 0x1.68c234c4c0000p-39
#define SN_PIO2_C 0x1.98a2e03707345p-77
// ... in floats: for k < 2^13
#define SN_PIO2_SINGLE_A 0x1.9200000000000p+0
#define SN_PIO2_SINGLE_B 0x1.fb80000000000p-12
#define SN_PIO2_SINGLE_C -0x1.5dde970000000p-23
#define SN_TWO_OVER_PI 0x1.45f306dc9c883p-1
// multiples of pi/4 as a double and what is left
#define SN_PIO4_1 0x1.921fb54442d18p-1
#define SN_PIO4_1_REST 0x1.1a62633145c07p-55
#define SN_PIO4_2 0x1.921fb54442d18p+0
#define SN_PIO4_2_REST 0x1.1a62633145c07p-54
#define SN_PIO4_3 0x1.2d97c7f3321d2p+1
#define SN_PIO4_3_REST 0x1.a79394c9e8a0ap-54
#define SN_PIO4_4 0x1.921fb54442d18p+1
#define SN_PIO4_4_REST 0x1.1a62633145c07p-53
#define SN_TAN_PI_8 0x1.a827999fcef32p-2
// ln(2)/128: k times the first is exact for k < 2^18
#define SN_LN2_128_A 0x1.62e42fefc0000p-8
#define SN_LN2_128_B -0x1.c610ca86c3899p-44
#define SN_128_LN2 0x1.71547652b82fep+7
// ln(2): k times the first is exact for k < 2^11
#define SN_LN2_A 0x1.62e42fefa3800p-1
#define SN_LN2_B 0x1.ef35793c76730p-45
// 1/ln(2) and 1/ln(10): the first of 26 bits
#define SN_LOG2E_A 0x1.7154768000000p+0
#define SN_LOG2E_B -0x1.6a3e80f444178p-27
#define SN_LOG10E_A 0x1.bcb7b18000000p-2
#define SN_LOG10E_B -0x1.6c8d78e6acaa4p-29
// log10(2): k times the first is exact for k < 2^11
#define SN_LOG10_2_A 0x1.34413509f8000p-2
#define SN_LOG10_2_B -0x1.80433b83b532ap-44
// cube roots of 2 and 4
#define SN_CBRT_TWO 0x1.428a2f98d728bp+0
#define SN_CBRT_FOUR 0x1.965fea53d6e3dp+0

// sin(r) = r + r^3 p(r^2), |r| <= pi/4: 2^-57.2
#define SN_SIN_0 -0x1.5555555555549p-3
#define SN_SIN_1 0x1.111111110f87dp-7
#define SN_SIN_2 -0x1.a01a019c11fb5p-13
#define SN_SIN_3 0x1.71de35781981dp-19
#define SN_SIN_4 -0x1.ae5e6691c811ap-26
#define SN_SIN_5 0x1.5d931cd894eb7p-33

// cos(r) = 1 - r^2/2 + r^4 p(r^2), |r| <= pi/4: 2^-59.9
#define SN_COS_0 0x1.5555555555552p-5
#define SN_COS_1 -0x1.6c16c16c15fcap-10
#define SN_COS_2 0x1.a01a019e15908p-16
#define SN_COS_3 -0x1.27e4f908631aep-22
#define SN_COS_4 0x1.1eea967feb64dp-29
#define SN_COS_5 -0x1.90058a43b0535p-37

// tan(r) = r + r^3 p(r^2), |r| <= pi/8: 2^-58.2
#define SN_TAN_0 0x1.5555555555574p-2
#define SN_TAN_1 0x1.111111110d327p-3
#define SN_TAN_2 0x1.ba1ba1bf81dd4p-5
#define SN_TAN_3 0x1.664f46aacf8afp-6
#define SN_TAN_4 0x1.226e904ce2d1ep-7
#define SN_TAN_5 0x1.d6bebb1e02ca0p-9
#define SN_TAN_6 0x1.7f228aba1ff6bp-10
#define SN_TAN_7 0x1.252741f4593d3p-11
#define SN_TAN_8 0x1.58a9101e394b0p-12

// atan(t) = t + t^3 p(t^2), |t| <= tan(pi/8): 2^-58.4
#define SN_ATAN_0 -0x1.5555555555554p-2
#define SN_ATAN_1 0x1.999999999962fp-3
#define SN_ATAN_2 -0x1.24924924749a8p-3
#define SN_ATAN_3 0x1.c71c71b6e94fbp-4
#define SN_ATAN_4 -0x1.745d14accfdf4p-4
#define SN_ATAN_5 0x1.3b136d19d9c83p-4
#define SN_ATAN_6 -0x1.110c63bfa3d1ap-4
#define SN_ATAN_7 0x1.e170e8963a9a8p-5
#define SN_ATAN_8 -0x1.ab76d4e2d6243p-5
#define SN_ATAN_9 0x1.70d37ebb622e2p-5
#define SN_ATAN_10 -0x1.11fe9480856ddp-5
#define SN_ATAN_11 0x1.f10b3e48cd87ap-7

// asin(x) = x + x^3 p(x^2), |x| <= 1/2: 2^-59.3
#define SN_ASIN_0 0x1.5555555555574p-3
#define SN_ASIN_1 0x1.333333332e7a0p-4
#define SN_ASIN_2 0x1.6db6db71c5331p-5
#define SN_ASIN_3 0x1.f1c71ab1e691fp-6
#define SN_ASIN_4 0x1.6e8bdbb353fa7p-6
#define SN_ASIN_5 0x1.1c4a290f0f1abp-6
#define SN_ASIN_6 0x1.ca1a48bccf62ep-7
#define SN_ASIN_7 0x1.75b041ba44759p-7
#define SN_ASIN_8 0x1.604f6d9ea055fp-7
#define SN_ASIN_9 0x1.f3d01f760b5aep-9
#define SN_ASIN_10 0x1.5f70d6ceb448bp-6
#define SN_ASIN_11 -0x1.52262c49aacb2p-6
#define SN_ASIN_12 0x1.0977f4fb7e497p-5

// exp(r) = 1 + r + r^2 p(r), |r| <= ln(2)/256 + 0.006: 2^-64.2
#define SN_EXP_0 0x1.0000000000000p-1
#define SN_EXP_1 0x1.5555555552101p-3
#define SN_EXP_2 0x1.5555555553b2bp-5
#define SN_EXP_3 0x1.11113a4fe1526p-7
#define SN_EXP_4 0x1.6c16eaaae66dep-10

// exp(x) - 1 = x + x^2/2 + x^3 p(x), |x| <= 1/4: 2^-58.5
#define SN_EXPM1_0 0x1.5555555555555p-3
#define SN_EXPM1_1 0x1.55555555554b4p-5
#define SN_EXPM1_2 0x1.11111111110dfp-7
#define SN_EXPM1_3 0x1.6c16c16d23f39p-10
#define SN_EXPM1_4 0x1.a01a01a0bfa62p-13
#define SN_EXPM1_5 0x1.a019f27bf31e8p-16
#define SN_EXPM1_6 0x1.71de310450957p-19
#define SN_EXPM1_7 0x1.2835b8ece4a58p-22
#define SN_EXPM1_8 0x1.aec7b4155fbf9p-26

// log(1 + r) = r - r^2/2 + r^3 p(r), |r| <= 0.0054: 2^-70.6
#define SN_LOG_0 0x1.5555555555555p-2
#define SN_LOG_1 -0x1.0000000000005p-2
#define SN_LOG_2 0x1.99999999999a2p-3
#define SN_LOG_3 -0x1.55555552c6dcep-3
#define SN_LOG_4 0x1.249249223f4ffp-3
#define SN_LOG_5 -0x1.0002acef1227fp-3
#define SN_LOG_6 0x1.c7214f1cd7f57p-4

// sinh(x) = x + x^3 p(x^2), |x| <= 1/2: 2^-58.9
#define SN_SINH_0 0x1.5555555555555p-3
#define SN_SINH_1 0x1.1111111111157p-7
#define SN_SINH_2 0x1.a01a019ffdde3p-13
#define SN_SINH_3 0x1.71de3aa9274ffp-19
#define SN_SINH_4 0x1.ae635a9c3bdfcp-26
#define SN_SINH_5 0x1.629900baf1c95p-33

// tanh(x) = x + x^3 p(x^2), |x| <= 1/8: 2^-61.8
#define SN_TANH_0 -0x1.5555555555552p-2
#define SN_TANH_1 0x1.111111110f2fdp-3
#define SN_TANH_2 -0x1.ba1ba1adee0c8p-5
#define SN_TANH_3 0x1.664f365e3d7fdp-6
#define SN_TANH_4 -0x1.226087fab148fp-7
#define SN_TANH_5 0x1.cca90baf3e885p-9

// cbrt(x) = p(x), 1 <= x <= 2: 2^-19.2
#define SN_CBRT_0 0x1.e68ceb1fc3429p-2
#define SN_CBRT_1 0x1.a9da3cc66f245p-1
#define SN_CBRT_2 -0x1.d758498b983bcp-2
#define SN_CBRT_3 0x1.92bfc00e33108p-3
#define SN_CBRT_4 -0x1.8bd2dce403128p-5
#define SN_CBRT_5 0x1.4c7608a04eba1p-8

// 2^(j/128) is scale (1 + rest)
#define SN_EXP_TABLE \
    {0x1.0000000000000p+0, 0.0}, \
    {0x1.0163da9fb3335p+0, 0x1.b3b4f1a88bf6ep-54}, \
    {0x1.02c9a3e778061p+0, -0x1.160139cd8dc5dp-56}, \
    {0x1.04315e86e7f85p+0, -0x1.05e7a108766d1p-54}, \
    {0x1.059b0d3158574p+0, 0x1.cd2523567f613p-55}, \
    {0x1.0706b29ddf6dep+0, -0x1.bce8023f98efap-55}, \
    {0x1.0874518759bc8p+0, 0x1.0f74e61e6c861p-57}, \
    {0x1.09e3ecac6f383p+0, 0x1.0a3e45b33d399p-54}, \
    {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6dp-54}, \
    {0x1.0cc922b7247f7p+0, 0x1.eb51a92fdeffcp-55}, \
    {0x1.0e3ec32d3d1a2p+0, 0x1.ebe3d702f9cd1p-60}, \
    {0x1.0fb66affed31bp+0, -0x1.a033489906e0bp-57}, \
    {0x1.11301d0125b51p+0, -0x1.556522a2fbd0ep-54}, \
    {0x1.12abdc06c31ccp+0, -0x1.080ef8c4eea55p-58}, \
    {0x1.1429aaea92de0p+0, -0x1.1c923b9d5f416p-54}, \
    {0x1.15a98c8a58e51p+0, 0x1.0d3e3e95c55afp-55}, \
    {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55}, \
    {0x1.18af9388c8deap+0, -0x1.f1ff055de323dp-55}, \
    {0x1.1a35beb6fcb75p+0, 0x1.b898c3f1353bfp-55}, \
    {0x1.1bbe084045cd4p+0, -0x1.6d99c7611eb26p-54}, \
    {0x1.1d4873168b9aap+0, 0x1.aecf73e3a2f60p-54}, \
    {0x1.1ed5022fcd91dp+0, -0x1.fe782cb86389dp-55}, \
    {0x1.2063b88628cd6p+0, 0x1.a6f4144a6c38dp-55}, \
    {0x1.21f49917ddc96p+0, 0x1.07a05b0e4047dp-55}, \
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a894p-54}, \
    {0x1.251ce4fb2a63fp+0, 0x1.75e18f274487dp-55}, \
    {0x1.26b4565e27cddp+0, 0x1.0472b981fe7f2p-55}, \
    {0x1.284dfe1f56381p+0, -0x1.6b87b3f71085ep-54}, \
    {0x1.29e9df51fdee1p+0, 0x1.2f7e16d09ab31p-55}, \
    {0x1.2b87fd0dad990p+0, -0x1.d219b1a6fbffap-60}, \
    {0x1.2d285a6e4030bp+0, 0x1.b3782720c0ab4p-55}, \
    {0x1.2ecafa93e2f56p+0, 0x1.e149289cecb8fp-57}, \
    {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55}, \
    {0x1.32170fc4cd831p+0, 0x1.64201e2ac744cp-55}, \
    {0x1.33c08b26416ffp+0, 0x1.fdd395dd3f84ap-55}, \
    {0x1.356c55f929ff1p+0, -0x1.6a3803b8e5b04p-55}, \
    {0x1.371a7373aa9cbp+0, -0x1.24aedcc4b5068p-54}, \
    {0x1.38cae6d05d866p+0, -0x1.907f81b512d8ep-54}, \
    {0x1.3a7db34e59ff7p+0, -0x1.1d1e83e9436d2p-56}, \
    {0x1.3c32dc313a8e5p+0, -0x1.91919b3ce1b15p-54}, \
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6dp-55}, \
    {0x1.3fa4504ac801cp+0, -0x1.312607a28698ap-54}, \
    {0x1.4160a21f72e2ap+0, -0x1.8a78f4817895bp-58}, \
    {0x1.431f5d950a897p+0, -0x1.c2c9b67499a1bp-56}, \
    {0x1.44e086061892dp+0, 0x1.363ed60c2ac11p-59}, \
    {0x1.46a41ed1d0057p+0, 0x1.666093b0664efp-54}, \
    {0x1.486a2b5c13cd0p+0, 0x1.ecce1daa10379p-57}, \
    {0x1.4a32af0d7d3dep+0, 0x1.3ff8e3f0f1230p-54}, \
    {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafb0p-56}, \
    {0x1.4dcb299fddd0dp+0, 0x1.31dbdeb54e077p-54}, \
    {0x1.4f9b2769d2ca7p+0, -0x1.f94340071a38ep-55}, \
    {0x1.516daa2cf6642p+0, -0x1.7deccdc93a349p-55}, \
    {0x1.5342b569d4f82p+0, -0x1.8dec6bd0f385fp-56}, \
    {0x1.551a4ca5d920fp+0, -0x1.61246ec7b5cf6p-55}, \
    {0x1.56f4736b527dap+0, 0x1.3350518fdd78ep-54}, \
    {0x1.58d12d497c7fdp+0, 0x1.b98b72f8a9b05p-56}, \
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54}, \
    {0x1.5c9268a5946b7p+0, 0x1.4c7855019c6eap-60}, \
    {0x1.5e76f15ad2148p+0, 0x1.432e62b64c035p-54}, \
    {0x1.605e1b976dc09p+0, -0x1.ce44a6199769fp-55}, \
    {0x1.6247eb03a5585p+0, -0x1.c33c53bef4da8p-55}, \
    {0x1.6434634ccc320p+0, -0x1.45378892be9aep-55}, \
    {0x1.6623882552225p+0, -0x1.3cedd78565858p-54}, \
    {0x1.68155d44ca973p+0, 0x1.710aa807e1964p-58}, \
    {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2228p-54}, \
    {0x1.6c012750bdabfp+0, -0x1.a12ad8734b982p-57}, \
    {0x1.6dfb23c651a2fp+0, -0x1.367efb86da9eep-57}, \
    {0x1.6ff7df9519484p+0, -0x1.0dc3d54e08851p-55}, \
    {0x1.71f75e8ec5f74p+0, -0x1.81f647e5a3ecfp-56}, \
    {0x1.73f9a48a58174p+0, -0x1.6ee4ac08b7db0p-55}, \
    {0x1.75feb564267c9p+0, -0x1.619321e55e68ap-55}, \
    {0x1.780694fde5d3fp+0, 0x1.09ccb5e09d4d3p-54}, \
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56}, \
    {0x1.7c1ed0130c132p+0, 0x1.4ecfd5467c06bp-54}, \
    {0x1.7e2f336cf4e62p+0, 0x1.5ebe1abd66c55p-57}, \
    {0x1.80427543e1a12p+0, -0x1.8a1c52fb3cf42p-55}, \
    {0x1.82589994cce13p+0, -0x1.369b6f13b3734p-54}, \
    {0x1.8471a4623c7adp+0, -0x1.05e843a19ff1ep-55}, \
    {0x1.868d99b4492edp+0, -0x1.4d450d872576ep-54}, \
    {0x1.88ac7d98a6699p+0, 0x1.0ad675b0e8a00p-54}, \
    {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55}, \
    {0x1.8cf3216b5448cp+0, -0x1.5b6609cc5e7ffp-57}, \
    {0x1.8f1ae99157736p+0, 0x1.bf68359f35f44p-56}, \
    {0x1.9145b0b91ffc6p+0, -0x1.3091fa71e3d83p-54}, \
    {0x1.93737b0cdc5e5p+0, -0x1.da9b88b6c1e29p-58}, \
    {0x1.95a44cbc8520fp+0, -0x1.c23f97c90b959p-57}, \
    {0x1.97d829fde4e50p+0, -0x1.2434322f4f9aap-54}, \
    {0x1.9a0f170ca07bap+0, -0x1.5ca6cd7668e4bp-55}, \
    {0x1.9c49182a3f090p+0, 0x1.1affc2b91ce27p-56}, \
    {0x1.9e86319e32323p+0, 0x1.dd235e10a73bbp-57}, \
    {0x1.a0c667b5de565p+0, -0x1.7c50422622263p-55}, \
    {0x1.a309bec4a2d33p+0, 0x1.b1c86e3e231d5p-55}, \
    {0x1.a5503b23e255dp+0, -0x1.1bbd1d3bcbb15p-54}, \
    {0x1.a799e1330b358p+0, 0x1.0cc319cee31d2p-54}, \
    {0x1.a9e6b5579fdbfp+0, 0x1.469846e735ab3p-55}, \
    {0x1.ac36bbfd3f37ap+0, -0x1.2dfcd978e9db4p-55}, \
    {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3387p-55}, \
    {0x1.b0e07298db666p+0, -0x1.07b8f4ad1d9fap-54}, \
    {0x1.b33a2b84f15fbp+0, -0x1.5c3d956dcaebap-58}, \
    {0x1.b59728de5593ap+0, -0x1.0a40e3da6f640p-54}, \
    {0x1.b7f76f2fb5e47p+0, -0x1.8d6f438ad9334p-57}, \
    {0x1.ba5b030a1064ap+0, -0x1.1eee26b588a35p-54}, \
    {0x1.bcc1e904bc1d2p+0, 0x1.4ffd70a5fddcdp-56}, \
    {0x1.bf2c25bd71e09p+0, -0x1.1bdfbfa9298acp-54}, \
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56}, \
    {0x1.c40ab5fffd07ap+0, 0x1.ee3325c9ffd94p-55}, \
    {0x1.c67f12e57d14bp+0, 0x1.4e08fd10959acp-55}, \
    {0x1.c8f6d9406e7b5p+0, 0x1.3cdaf384e1a67p-57}, \
    {0x1.cb720dcef9069p+0, 0x1.76b2c6c921968p-57}, \
    {0x1.cdf0b555dc3fap+0, -0x1.08a1883ccb5d2p-55}, \
    {0x1.d072d4a07897cp+0, -0x1.fad5d3ffffa6fp-55}, \
    {0x1.d2f87080d89f2p+0, -0x1.00dae3875a949p-54}, \
    {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56}, \
    {0x1.d80e316c98398p+0, -0x1.2919e2040220fp-55}, \
    {0x1.da9e603db3285p+0, 0x1.e5a50d5c192acp-55}, \
    {0x1.dd321f301b460p+0, 0x1.43a59ac016b4bp-55}, \
    {0x1.dfc97337b9b5fp+0, -0x1.2d52107b43e1fp-55}, \
    {0x1.e264614f5a129p+0, -0x1.92ab93b470dc9p-55}, \
    {0x1.e502ee78b3ff6p+0, 0x1.4b604603a88d3p-56}, \
    {0x1.e7a51fbc74c83p+0, 0x1.3c5ec519d7271p-55}, \
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f0p-55}, \
    {0x1.ecf482d8e67f1p+0, -0x1.dae98e223747dp-55}, \
    {0x1.efa1bee615a27p+0, 0x1.ec3bc41aa2008p-55}, \
    {0x1.f252b376bba97p+0, 0x1.42b94c3a9eb32p-55}, \
    {0x1.f50765b6e4540p+0, 0x1.a64a931d185eep-55}, \
    {0x1.f7bfdad9cbe14p+0, -0x1.e37bae43be3edp-55}, \
    {0x1.fa7c1819e90d8p+0, 0x1.7893b4d91cd9dp-56}, \
    {0x1.fd3c22b8f71f1p+0, 0x1.305c14160cc89p-58}, \

// Intervals of mantissas from this one's bits on, of 2^45 each: 1/c, multiples of 2^-10, and log(c) in two parts.
#define SN_LOG_START 0x3fe6900000000000u
// |x/c - 1| is at most 0.00427.
#define SN_LOG_TABLE \
    {0x1.6a00000000000p+0, -0x1.62c82f2b9c000p-2, -0x1.e54bdbd7c8a98p-44}, \
    {0x1.6800000000000p+0, -0x1.5d1bdbf581000p-2, 0x1.8d6bdc9c7c238p-44}, \
    {0x1.6600000000000p+0, -0x1.5767717456000p-2, 0x1.64ead9524d7cap-44}, \
    {0x1.6440000000000p+0, -0x1.5262deeb99000p-2, 0x1.e1b9f70894a01p-44}, \
    {0x1.6240000000000p+0, -0x1.4c9f09e153000p-2, 0x1.e1dde70e02de0p-45}, \
    {0x1.6040000000000p+0, -0x1.46d2d9c280000p-2, -0x1.59b275f67f75ap-44}, \
    {0x1.5e80000000000p+0, -0x1.41b941cce1000p-2, 0x1.0469013e43fc9p-44}, \
    {0x1.5c80000000000p+0, -0x1.3bdd24eb15000p-2, 0x1.257b4970e6ed9p-44}, \
    {0x1.5ac0000000000p+0, -0x1.36b5776bc1000p-2, -0x1.169785a9c223fp-46}, \
    {0x1.5900000000000p+0, -0x1.31871c9544000p-2, -0x1.84fab94cecfd9p-46}, \
    {0x1.5700000000000p+0, -0x1.2b9303ab8a000p-2, 0x1.6db12d6bfb0a5p-45}, \
    {0x1.5540000000000p+0, -0x1.26561f1338000p-2, -0x1.8b48866faa45fp-44}, \
    {0x1.5380000000000p+0, -0x1.2112559861000p-2, -0x1.82e78ba2950c4p-44}, \
    {0x1.51c0000000000p+0, -0x1.1bc794fd1d000p-2, 0x1.ccf0c747ba7bep-44}, \
    {0x1.5000000000000p+0, -0x1.1675cababa000p-2, -0x1.8380e731f55c4p-44}, \
    {0x1.4e40000000000p+0, -0x1.111ce4003f000p-2, 0x1.b3237096b4b6bp-46}, \
    {0x1.4cc0000000000p+0, -0x1.0c81d4860b000p-2, 0x1.e5bcf401d1731p-44}, \
    {0x1.4b00000000000p+0, -0x1.071b85fcd6000p-2, 0x1.bcb8ba3e01a11p-44}, \
    {0x1.4940000000000p+0, -0x1.01ade3913a000p-2, 0x1.08930ccdc1521p-46}, \
    {0x1.47c0000000000p+0, -0x1.fa01c3bb58000p-3, 0x1.a1f71fae1d786p-46}, \
    {0x1.4600000000000p+0, -0x1.ef0adcbdc6000p-3, 0x1.b26b79c86af24p-45}, \
    {0x1.4480000000000p+0, -0x1.e598ed5a88000p-3, 0x1.d134bcf1e98a1p-47}, \
    {0x1.42c0000000000p+0, -0x1.da85d620ce000p-3, -0x1.40194c16cc7ecp-45}, \
    {0x1.4140000000000p+0, -0x1.d0fb7f2256000p-3, 0x1.af52b20633b29p-47}, \
    {0x1.3fc0000000000p+0, -0x1.c765b9e4d6000p-3, -0x1.1ab6b36976f6cp-44}, \
    {0x1.3e40000000000p+0, -0x1.bdc46ae344000p-3, -0x1.625b4023d6505p-44}, \
    {0x1.3c80000000000p+0, -0x1.b2797ee464000p-3, 0x1.be88a906d00a9p-44}, \
    {0x1.3b00000000000p+0, -0x1.a8becfc882000p-3, -0x1.e3185cf21b9cfp-44}, \
    {0x1.3980000000000p+0, -0x1.9ef83d276a000p-3, 0x1.730b7b3f9ce00p-45}, \
    {0x1.3800000000000p+0, -0x1.9525a9cf46000p-3, 0x1.297137d9f158fp-44}, \
    {0x1.3680000000000p+0, -0x1.8b46f82236000p-3, -0x1.2d9f2102dd7c9p-46}, \
    {0x1.3540000000000p+0, -0x1.83040c91bc000p-3, -0x1.e5b71c6e66f32p-44}, \
    {0x1.33c0000000000p+0, -0x1.790ed4ee26000p-3, -0x1.99bbd4e7746f6p-46}, \
    {0x1.3240000000000p+0, -0x1.6f0d28ae56000p-3, -0x1.69737c93373dap-44}, \
    {0x1.30c0000000000p+0, -0x1.64fee88260000p-3, 0x1.da40d759dded6p-46}, \
    {0x1.2f80000000000p+0, -0x1.5c94007598000p-3, 0x1.a8d948cd23322p-44}, \
    {0x1.2e00000000000p+0, -0x1.526e5e3a1c000p-3, 0x1.790ba37fc5238p-44}, \
    {0x1.2c80000000000p+0, -0x1.483bccce6e000p-3, -0x1.eea52723f6369p-46}, \
    {0x1.2b40000000000p+0, -0x1.3fb25a5952000p-3, -0x1.195be6b358ff7p-44}, \
    {0x1.2a00000000000p+0, -0x1.371fc201e8000p-3, -0x1.ee8779b2d8abcp-44}, \
    {0x1.2880000000000p+0, -0x1.2cca0f5f60000p-3, 0x1.b5ef191aff120p-44}, \
    {0x1.2740000000000p+0, -0x1.2423113ba6000p-3, 0x1.e3a0078ee9d9cp-44}, \
    {0x1.2600000000000p+0, -0x1.1b72ad52f6000p-3, -0x1.e80a41811a396p-45}, \
    {0x1.2480000000000p+0, -0x1.10f8e42254000p-3, 0x1.93b3843396307p-45}, \
    {0x1.2340000000000p+0, -0x1.08338affa2000p-3, -0x1.0533cac823e27p-44}, \
    {0x1.2200000000000p+0, -0x1.fec9131dc0000p-4, 0x1.54555d1ae6607p-44}, \
    {0x1.20c0000000000p+0, -0x1.ed1794e838000p-4, 0x1.fd143749d0484p-46}, \
    {0x1.1f80000000000p+0, -0x1.db5270187c000p-4, -0x1.9277856ae181fp-44}, \
    {0x1.1e40000000000p+0, -0x1.c97978d790000p-4, 0x1.6e010977d1884p-44}, \
    {0x1.1d00000000000p+0, -0x1.b78c82bb10000p-4, 0x1.25ef7bc3987e7p-44}, \
    {0x1.1bc0000000000p+0, -0x1.a58b60c2b4000p-4, 0x1.cdc735c5c9f2ap-44}, \
    {0x1.1a80000000000p+0, -0x1.9375e55594000p-4, -0x1.eddc37380c364p-44}, \
    {0x1.1940000000000p+0, -0x1.814be23f8c000p-4, -0x1.b2381da82fdfdp-51}, \
    {0x1.1800000000000p+0, -0x1.6f0d28ae58000p-4, 0x1.4b4641b664613p-44}, \
    {0x1.1700000000000p+0, -0x1.60658a9374000p-4, -0x1.0c3b1dee9c4f8p-44}, \
    {0x1.15c0000000000p+0, -0x1.4e01108a34000p-4, -0x1.ae5cfdf2c5ae5p-44}, \
    {0x1.1480000000000p+0, -0x1.3b87598b1c000p-4, 0x1.2241594aca313p-45}, \
    {0x1.1340000000000p+0, -0x1.28f83450ec000p-4, -0x1.a8d75aa119769p-44}, \
    {0x1.1240000000000p+0, -0x1.1a0fba1bf8000p-4, -0x1.4a3fcc319d6dcp-45}, \
    {0x1.1100000000000p+0, -0x1.0759835990000p-4, 0x1.b8ecfe4b59987p-44}, \
    {0x1.1000000000000p+0, -0x1.f0a30c0118000p-5, 0x1.d599e83368e91p-45}, \
    {0x1.0ec0000000000p+0, -0x1.cae72fb960000p-5, 0x1.efabf2025b1bep-44}, \
    {0x1.0dc0000000000p+0, -0x1.ac97221710000p-5, -0x1.f8d3ef013222cp-45}, \
    {0x1.0c80000000000p+0, -0x1.868a830840000p-5, 0x1.2623a134ac693p-46}, \
    {0x1.0b80000000000p+0, -0x1.67f94f0948000p-5, -0x1.ecc1f3e7e4ed7p-44}, \
    {0x1.0a80000000000p+0, -0x1.494acc34d8000p-5, -0x1.11c78a56fd247p-45}, \
    {0x1.0940000000000p+0, -0x1.22c71bcea8000p-5, -0x1.d2818f87f888fp-48}, \
    {0x1.0840000000000p+0, -0x1.03d5d85e70000p-5, -0x1.f778960ed29cfp-44}, \
    {0x1.0740000000000p+0, -0x1.c98d18d010000p-6, 0x1.bf6150589df0fp-45}, \
    {0x1.0640000000000p+0, -0x1.8b31facaa0000p-6, 0x1.3fc78a96e4964p-44}, \
    {0x1.0500000000000p+0, -0x1.3cea443470000p-6, 0x1.6a2c432d6a40bp-44}, \
    {0x1.0400000000000p+0, -0x1.fc0a8b0fc0000p-7, -0x1.f1e7cf6d3a69cp-50}, \
    {0x1.0300000000000p+0, -0x1.7dc475f820000p-7, 0x1.eb1245b5da1f5p-44}, \
    {0x1.0200000000000p+0, -0x1.fe02a6b100000p-8, -0x1.9e23f0dda40e4p-46}, \
    {0x1.0100000000000p+0, -0x1.ff00aa2b00000p-9, -0x1.0bc04a086b56ap-45}, \
    {0x1.0000000000000p+0, 0.0, 0.0}, \
    {0x1.fc00000000000p-1, 0x1.0101575880000p-7, 0x1.bce251998b506p-44}, \
    {0x1.f800000000000p-1, 0x1.0205658930000p-6, 0x1.611d27c8e8417p-44}, \
    {0x1.f480000000000p-1, 0x1.74321d3d00000p-6, 0x1.b4a690fe94778p-48}, \
    {0x1.f080000000000p-1, 0x1.f7a9b16780000p-6, 0x1.42ad9271be7d7p-45}, \
    {0x1.ed00000000000p-1, 0x1.35c8bfaa10000p-5, 0x1.8357d5ef9eb35p-44}, \
    {0x1.e900000000000p-1, 0x1.788595a358000p-5, -0x1.08b0d083b3a4cp-46}, \
    {0x1.e580000000000p-1, 0x1.b35dd9b588000p-5, 0x1.d5674d6cf558ep-44}, \
    {0x1.e200000000000p-1, 0x1.eea31c0068000p-5, 0x1.c3dd83606d891p-44}, \
    {0x1.de80000000000p-1, 0x1.152b799bb4000p-4, -0x1.9bb2907030829p-47}, \
    {0x1.db00000000000p-1, 0x1.333d7f8184000p-4, -0x1.692b6a81b8848p-49}, \
    {0x1.d780000000000p-1, 0x1.5188742260000p-4, 0x1.30a1d96258b3ep-44}, \
    {0x1.d400000000000p-1, 0x1.700d30aeac000p-4, 0x1.c1e8da99ded32p-49}, \
    {0x1.d100000000000p-1, 0x1.8a6477a91c000p-4, 0x1.c28c0af9bd6dfp-44}, \
    {0x1.cd80000000000p-1, 0x1.a956d3ecac000p-4, 0x1.e63794c02c4afp-44}, \
    {0x1.ca80000000000p-1, 0x1.c40d6425a4000p-4, 0x1.cb1121d1930ddp-44}, \
    {0x1.c700000000000p-1, 0x1.e3707ee304000p-4, 0x1.0f684e6766abdp-45}, \
    {0x1.c400000000000p-1, 0x1.fe89139dbc000p-4, 0x1.56594d82f7a82p-44}, \
    {0x1.c100000000000p-1, 0x1.0ce7ecdccc000p-3, 0x1.4652dabff5447p-46}, \
    {0x1.be00000000000p-1, 0x1.1aa2b7e240000p-3, -0x1.1ac38dde3b366p-44}, \
    {0x1.bb00000000000p-1, 0x1.28753bc11a000p-3, 0x1.7494e359302e6p-44}, \
    {0x1.b800000000000p-1, 0x1.365fcb015a000p-3, -0x1.fd3a0afb9691bp-44}, \
    {0x1.b500000000000p-1, 0x1.4462b9dc9c000p-3, -0x1.84858a711b062p-44}, \
    {0x1.b200000000000p-1, 0x1.527e5e4a1c000p-3, -0x1.4e60b8d4b411dp-44}, \
    {0x1.af00000000000p-1, 0x1.60b3100b0a000p-3, -0x1.71456c988f814p-44}, \
    {0x1.ac80000000000p-1, 0x1.6c9d07d204000p-3, -0x1.c73fafd9b2dcap-50}, \
    {0x1.a980000000000p-1, 0x1.7b00916516000p-3, -0x1.ae75fcb067e57p-44}, \
    {0x1.a700000000000p-1, 0x1.871213750e000p-3, 0x1.328eb42f9af75p-44}, \
    {0x1.a400000000000p-1, 0x1.95a5adcf70000p-3, 0x1.7f22858a0ff6fp-47}, \
    {0x1.a180000000000p-1, 0x1.a1dfc40f1c000p-3, -0x1.01e0f004f3781p-44}, \
    {0x1.9f00000000000p-1, 0x1.ae2ca6f672000p-3, 0x1.7a8d5ae54f550p-44}, \
    {0x1.9c00000000000p-1, 0x1.bd087383be000p-3, -0x1.d4bc4595412b6p-45}, \
    {0x1.9980000000000p-1, 0x1.c97f8079d4000p-3, 0x1.3b161a8c6e6c5p-45}, \
    {0x1.9700000000000p-1, 0x1.d60a17f904000p-3, -0x1.5d6e06fc20d39p-44}, \
    {0x1.9480000000000p-1, 0x1.e2a877a6b2000p-3, 0x1.823817787081ap-44}, \
    {0x1.9200000000000p-1, 0x1.ef5ade4dd0000p-3, -0x1.a211565bb8e11p-51}, \
    {0x1.8f80000000000p-1, 0x1.fc218be620000p-3, 0x1.4bba46f1cf6a0p-44}, \
    {0x1.8d00000000000p-1, 0x1.047e60cde8000p-2, 0x1.dbdf10d397f3cp-45}, \
    {0x1.8b00000000000p-1, 0x1.09aa572e6c000p-2, 0x1.b50a1e1734342p-44}, \
    {0x1.8880000000000p-1, 0x1.102ac0a35d000p-2, -0x1.f1fbddfdfd686p-45}, \
    {0x1.8600000000000p-1, 0x1.16b5ccbad0000p-2, -0x1.23299042d74bfp-44}, \
    {0x1.8400000000000p-1, 0x1.1bf99635a7000p-2, -0x1.1ac89575c2125p-44}, \
    {0x1.8180000000000p-1, 0x1.22981fbef8000p-2, -0x1.a1421609580dap-44}, \
    {0x1.7f80000000000p-1, 0x1.27ebaf58d9000p-2, -0x1.b198800b4bda7p-45}, \
    {0x1.7d00000000000p-1, 0x1.2e9e2bce12000p-2, 0x1.4300c128d1dc2p-45}, \
    {0x1.7b00000000000p-1, 0x1.3401e12aed000p-2, -0x1.17c73556e291dp-44}, \
    {0x1.7880000000000p-1, 0x1.3ac8ca38e6000p-2, -0x1.d0befbc02be4ap-45}, \
    {0x1.7680000000000p-1, 0x1.403d086cea000p-2, 0x1.e6ef574487308p-44}, \
    {0x1.7480000000000p-1, 0x1.45b8c0a17e000p-2, -0x1.d9120e7d0a853p-47}, \
    {0x1.7280000000000p-1, 0x1.4b3c077268000p-2, -0x1.65b4681052b9fp-46}, \
    {0x1.7000000000000p-1, 0x1.522ae0738a000p-2, 0x1.ebe708164c759p-45}, \
    {0x1.6e00000000000p-1, 0x1.57bf753c8d000p-2, 0x1.fadedee5d40efp-46}, \
    {0x1.6c00000000000p-1, 0x1.5d5bddf596000p-2, -0x1.a0b2a08a465dcp-47}, \

// A word of zeros and 1280 binary digits of 2/pi
#define SN_TWO_OVER_PI_WORDS \
    0x0000000000000000u, \
    0xa2f9836e4e441529u, \
    0xfc2757d1f534ddc0u, \
    0xdb6295993c439041u, \
    0xfe5163abdebbc561u, \
    0xb7246e3a424dd2e0u, \
    0x06492eea09d1921cu, \
    0xfe1deb1cb129a73eu, \
    0xe88235f52ebb4484u, \
    0xe99c7026b45f7e41u, \
    0x3991d639835339f4u, \
    0x9c845f8bbdf9283bu, \
    0x1ff897ffde05980fu, \
    0xef2f118b5a0a6d1fu, \
    0x6d367ecf27cb09b7u, \
    0x4f463f669e5fea2du, \
    0x7527bac7ebe5f17bu, \
    0x3d0739f78a5292eau, \
    0x6bfb5fb11f8d5d08u, \
    0x56033046fc7b6babu, \
    0xf0cfbc209af4361du, \
// pi/2 times 2^63
#define SN_PIO2_WORD 0xc90fdaa22168c234u

// clang-format on
#endif
